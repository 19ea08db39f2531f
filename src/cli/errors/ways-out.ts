import { openActions } from '../../manifest/open-actions.ts';
import type { ValueMistake } from '../../render/value-mistake.ts';
import type { SourcePlace } from '../../support/errors.ts';

/** The actions that are still open where a template ends too soon, the last one first. */
export function unclosed({ text }: SourcePlace): readonly string[] {
  const lines = text.split('\n');
  return openActions(text, lines.length).map(
    ({ line }) => `the {{ end }} of line ${line} is missing: ${lines[line - 1]?.trim()}`,
  );
}

/** A text of several lines that a template indents too little for its block. */
interface ShortIndent {
  /** The key of the block. */
  readonly key: string;
  /** `indent 4 instead of indent 2` */
  readonly fix: string;
}

export function shortIndent({ text, line }: SourcePlace, rendered: SourcePlace | undefined): ShortIndent | undefined {
  const [call, given] = /\bn?indent\s+(\d+)/.exec(text.split('\n')[line - 1] ?? '') ?? [];
  const lines = rendered?.text.split('\n') ?? [];
  const before = lines.slice(0, (rendered?.line ?? 1) - 1).findLast((one) => one.trim() !== '') ?? '';
  const [, margin, key, block] = /^( *(?:- +)*)([^\s:]+):\s*([|>][-+\d]*)?\s*$/.exec(before) ?? [];
  if (call === undefined || margin === undefined || key === undefined) return undefined;
  // The items of a list may stand as far out as its key.
  const isItem = block === undefined && /^ *- /.test(lines[(rendered?.line ?? 1) - 1] ?? '');
  if (isItem ? Number(given) >= margin.length : Number(given) > margin.length) return undefined;
  return { key, fix: `${call.replace(/\d+/, String(margin.length + 2))} instead of ${call}` };
}

/** Where `default` stands beside a value that fails before it is asked. */
export function lateDefault({ text, line }: SourcePlace, value: ValueMistake | undefined): readonly string[] {
  const { keys = [], field } = value ?? {};
  if (value?.code !== 'value-missing' || field === undefined) return [];
  const written = text.split('\n')[line - 1] ?? '';
  const source = `(\\$?\\.Values\\.(?:[\\w.]*\\.)?${keys.at(-1)})\\.${field}\\b`;
  const found =
    new RegExp(`${source}[^}]*\\|\\s*default\\b`).exec(written) ??
    new RegExp(`\\bdefault\\s+(?:"[^"]*"|\\S+)\\s+\\(?${source}`).exec(written);
  const owner = found?.[1];
  if (owner === undefined) return [];
  const instead = `(${owner}).${field}`;
  return [`or write ${instead}: ${owner}.${field} fails before default is asked, ${instead} does not`];
}
