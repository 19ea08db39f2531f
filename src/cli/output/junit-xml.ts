import { printable } from '../../support/printable.ts';

export interface Case {
  readonly name: string;
  readonly className: string;
  /** '' where there is none. */
  readonly file: string;
  readonly elapsedMs?: number | undefined;
  readonly result: Result;
}

export type Result =
  | { readonly kind: 'passed'; readonly text?: string | undefined }
  | { readonly kind: 'skipped'; readonly message: string }
  | { readonly kind: 'failure' | 'error'; readonly type: string; readonly message: string; readonly text: string };

/** The file of these suites. */
export const junitOf = (suites: readonly string[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="tshelm">\n${suites.join('')}</testsuites>\n`;

interface Suite {
  readonly name: string;
  readonly cases: readonly Case[];
  readonly startedMs: number;
  readonly elapsedMs?: number | undefined;
}

/** In the form that Jenkins, GitLab and GitHub tools read. */
export function junitSuite({ name, cases, startedMs, elapsedMs = 0 }: Suite): string {
  const count = (kind: Result['kind']): number => cases.filter(({ result }) => result.kind === kind).length;
  const attributes = attributesText({
    name,
    tests: cases.length,
    failures: count('failure'),
    errors: count('error'),
    skipped: count('skipped'),
    time: secondsText(elapsedMs),
    timestamp: new Date(startedMs).toISOString().slice(0, 19),
  });
  return `  <testsuite${attributes}>\n${cases.map(caseText).join('')}  </testsuite>\n`;
}

function caseText({ name, className, file, elapsedMs = 0, result }: Case): string {
  const attributes = attributesText({ name, classname: className, file, time: secondsText(elapsedMs) });
  const body = resultText(result);
  return body === '' ? `    <testcase${attributes}/>\n` : `    <testcase${attributes}>${body}</testcase>\n`;
}

function resultText(result: Result): string {
  switch (result.kind) {
    case 'passed':
      return result.text === undefined ? '' : `<system-out>${escaped(printable(result.text))}</system-out>`;
    case 'skipped':
      return `<skipped${attributesText({ message: result.message })}/>`;
    case 'failure':
    case 'error': {
      const attributes = attributesText({ message: result.message, type: result.type });
      return `<${result.kind}${attributes}>${escaped(printable(result.text))}</${result.kind}>`;
    }
  }
}

const secondsText = (ms: number): string => (ms / 1000).toFixed(3);

const attributesText = (attributes: Readonly<Record<string, string | number>>): string =>
  Object.entries(attributes)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => ` ${name}="${escaped(printable(String(value)))}"`)
    .join('');

/** Every character that markup could be made of, so that `]]>` is no danger; what XML 1.0 cannot hold at all is left out. */
const escaped = (text: string): string =>
  text
    .replace(/\p{Surrogate}|[\ufffe\uffff]/gu, '')
    .replace(/[&<>"'\n\t]/g, (character: string) => xmlEntities[character as keyof typeof xmlEntities]);

const xmlEntities = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\n': '&#10;',
  '\t': '&#9;',
} as const;
