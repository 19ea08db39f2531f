import { slashes } from '../../go/path.ts';
import { pathMatch } from '../../go/path-match.ts';
import { splitDocuments } from '../../manifest/split.ts';
import { TshelmError } from '../../support/errors.ts';

/**
 * The documents of a printed release that come from the wanted templates, in the order in which those are given: paths
 * below the chart, or patterns. Fails with `template-not-found` for one that nothing comes from.
 */
export function showOnly(printed: string, templates: readonly string[]): string {
  const documents = splitDocuments(printed).map((text) => ({ text, path: pathOf(text) }));
  const shown = templates.flatMap((template) => {
    const found = documents.filter(({ path }) => path !== undefined && matches(slashes(template), path));
    if (found.length === 0) throw templateNotFound(template);
    return found;
  });
  return shown.map(({ text }) => `---\n${text}\n`).join('');
}

/** The template's path without the chart's name. */
const pathOf = (document: string): string | undefined => /# Source: [^/]+\/(.+)/.exec(document)?.[1];

function matches(pattern: string, path: string): boolean {
  try {
    return pathMatch(pattern, path);
  } catch {
    // Helm takes a pattern that means nothing for one that matches nothing.
    return false;
  }
}

/** `output` is what was printed before. */
export const templateNotFound = (template: string, output?: string): TshelmError =>
  new TshelmError('template-not-found', {
    message: `could not find template ${template} in chart`,
    details: { template, ...(output !== undefined && { output }) },
  });
