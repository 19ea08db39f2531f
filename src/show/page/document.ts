import { base64Text, utf8Bytes } from '../../support/bytes.ts';
import { hash } from '../../support/cryptography.ts';
import { escapeHtml } from './markup.ts';

/** The parts of a page; texts but `title` are markup. */
export interface PageParts {
  readonly title: string;
  readonly header: string;
  readonly main: string;
  readonly style: string;
  readonly script: string;
}

/**
 * One HTML page that needs nothing else. Its policy allows only the style and the script that it carries, so that no name
 * in a chart can make it do or load anything. The same parts make the same bytes.
 */
export const htmlPage = ({ title, header, main, style, script }: PageParts): string => `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src ${hashOf(style)}; script-src ${hashOf(script)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<header>${header}</header>
${main}
<script>${script}</script>
</body>
</html>
`;

const hashOf = (text: string): string => `'sha256-${base64Text(hash('sha256', utf8Bytes(text)))}'`;

/** A headed list of markup; nothing where it is empty. */
export function listText(heading: string, items: readonly string[], className = ''): string {
  if (items.length === 0) return '';
  return `<h3>${heading}</h3><ul${className && ` class="${className}"`}>${items.map((item) => `<li>${item}</li>`).join('')}</ul>`;
}
