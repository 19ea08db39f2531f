import { openActions } from '../manifest/open-actions.ts';
import type { ValueMistake } from '../render/value-mistake.ts';
import { addedDetail, causesOf, hasCode, messageOf, type SourcePlace, unreachable } from '../support/errors.ts';
import type { OnDisk } from './chart-file.ts';
import { frameText } from './excerpt.ts';
import { givenText, labelled } from './fault-text.ts';
import { plainWords } from './plain-words.ts';

/** A mistake in a template, or in the text that it made. */
export interface Mistake {
  /** `INSTALLATION FAILED: `, or '' */
  readonly before: string;
  /** What is wrong, in one line. */
  readonly cause: string;
  /** `where  web/templates/web.yaml:18` */
  readonly where: string;
  /** The way out, what it is about, a line each; those that go on are indented. */
  readonly details: readonly string[];
  /** Helm's words, which people search for. */
  readonly helm: string;
}

/** The mistake in a template that a failure is about, where it can be told in plainer words than Go's. */
export function mistakeOf(failure: unknown, onDisk: OnDisk): Mistake | undefined {
  const origin = causesOf(failure).findLast((cause) =>
    hasCode(cause, 'template-error', 'invalid-manifest', 'chart-invalid', 'values-invalid'),
  );
  const place = addedDetail(failure, 'place');
  if (origin === undefined || place === undefined) return undefined;
  const message = messageOf(failure);
  const value = addedDetail(failure, 'value');
  const rendered = addedDetail(failure, 'renderedPlace');
  const [words = '', ...more] = plainWords(message, true).split('\n');
  const indent = shortIndent(place, rendered);
  const meaning =
    indent === undefined ? words : `the text of ${indent.key} is indented too little and leaves its block`;
  const cause = value === undefined ? meaning : valueCause(value);
  if (cause === '') return undefined;
  const at = Math.max(0, message.indexOf(origin.message));
  // Where a command has no words of its own, Helm's come first: `show` and `template` are compared with Helm's.
  if (at === 0 && hasCode(origin, 'chart-invalid', 'values-invalid')) return undefined;
  const hints = addedDetail(failure, 'hints') ?? [];
  const isMisspelt = hints.some((hint) => hint.endsWith(misspelt));
  return {
    before: message.slice(0, at),
    cause: `${hasCode(origin, 'invalid-manifest') ? objectName(origin.details.text ?? '') : ''}${cause}`,
    where: whereText(place, onDisk),
    details: [
      ...(value === undefined
        ? more.map((text) => labelled('also', text))
        : isMisspelt
          ? []
          : valueLines(value, onDisk)),
      ...(indent === undefined
        ? []
        : [labelled('fix', `${indent.call.replace(/\d+/, String(indent.margin + 2))} instead of ${indent.call}`)]),
      ...(isMisspelt ? [] : lateDefault(place, value)),
      ...unclosed(place, message),
      ...hints.map((text) => labelled('fix', text)),
    ],
    helm: message.slice(at).trim(),
  };
}

/** The mistake as it is shown: its cause, its place, the way out, and last Helm's words. */
export function mistakeText({ before, cause, where, details, helm }: Mistake, failure: unknown): string {
  const place = addedDetail(failure, 'place') as SourcePlace;
  const rendered = addedDetail(failure, 'renderedPlace');
  const isRendered = helm.startsWith('YAML parse error ');
  const words = isRendered ? "Helm's words (its line is one of the rendered text)" : "Helm's words";
  const shown = [
    frameText(place),
    rendered === undefined
      ? ''
      : `  which renders:\n\n${frameText(rendered).replace(numbers, (number) => ' '.repeat(number.length))}`,
    details.map((line) => `  ${line}`).join('\n'),
    helm.includes('\n') ? `${words}:\n${helm.replace(/^(?=.)/gm, '  ')}` : `${words}: ${helm}`,
  ];
  return [`${before}${cause}\n  ${where}`, ...shown.map((text) => text.replace(/\n$/, ''))]
    .filter((text) => text !== '')
    .join('\n\n');
}

const rendering = / \(rendered\)$/;

function whereText({ file, line }: SourcePlace, onDisk: OnDisk): string {
  const named = onDisk(file.replace(rendering, ''));
  return labelled('where', rendering.test(file) ? `${named}, line ${line} of what it renders` : `${named}:${line}`);
}

const misspelt = 'perhaps one of the two is misspelt';

/** The actions that are still open where a template ends too soon, the last one first. */
function unclosed({ text }: SourcePlace, message: string): readonly string[] {
  if (!/: unexpected EOF\s*$/.test(message)) return [];
  const lines = text.split('\n');
  return openActions(text, lines.length).map(({ line }) =>
    labelled('fix', `the {{ end }} of line ${line} is missing: ${lines[line - 1]?.trim()}`),
  );
}

/** Of lines in a frame: those of rendered text would be taken for lines of a file. */
const numbers = /(?<=^[> ] )[ \d]+(?= \|)/gm;

/** `ConfigMap/web: ` of a rendered document that cannot be read as a whole. */
function objectName(text: string): string {
  const kind = /^kind:\s*["']?(\w+)/m.exec(text)?.[1];
  const name = /^metadata:\s*\n(?:[ #].*\n)*? +name:\s*["']?([^\s"'#]+)/m.exec(text)?.[1];
  return kind === undefined || name === undefined ? '' : `${kind}/${name}: `;
}

function valueCause({ keys, field, problem }: ValueMistake): string {
  const name = keys.join('.');
  switch (problem) {
    case 'is missing':
      return field === undefined
        ? `the value ${name} is not set`
        : `the value ${name} is not set, so it has no ${field}`;
    case 'is no map':
      return `the value ${name} is not a map, so it has no ${field}`;
    case 'is no list':
      return `the value ${name} is neither a list nor a map`;
    default:
      return unreachable(problem);
  }
}

/** Where the value is set, or belongs. */
function valueLines({ keys, field, problem, ...places }: ValueMistake, onDisk: OnDisk): readonly string[] {
  const { place, above, given } = places;
  const name = keys.join('.');
  const set = given === undefined ? place && `in ${at(place, onDisk)}` : givenText(given);
  if (problem !== 'is missing') return set === undefined ? [] : [labelled('value', `${name} is set ${set}`)];
  const wanted = field === undefined ? keys : [...keys, field];
  const fix = labelled('fix', `set ${wanted.join('.')} with -f, with --set, or in `);
  if (set !== undefined) return [labelled('value', `${name} is set to nothing ${set}`), `${fix}values.yaml`];
  if (above === undefined) return [`${fix}values.yaml:`, ...snippet(wanted)];
  const missing = wanted.slice(above.keys.length);
  return [
    labelled('value', `${above.keys.join('.')} is set in ${at(above, onDisk)} and has no ${missing[0]}`),
    `${fix}${onDisk(above.file)} below line ${above.line}:`,
    ...snippet([above.keys.at(-1) ?? '', ...missing]),
  ];
}

/** The line to change, where a value is set that a template cannot work with, or the map that misses one. */
export function wrongValuePlace({ given, place, above }: ValueMistake): FileLine | undefined {
  if (given === undefined) return place ?? above;
  return 'file' in given ? given : undefined;
}

interface FileLine {
  readonly file: string;
  readonly line: number;
}

/** Where the values are set that a schema refuses, a line each; '' where that is not known. */
export function refusedValuesText(failure: unknown, onDisk: OnDisk): string {
  if (!hasCode(failure, 'values-schema')) return '';
  const lines = (addedDetail(failure, 'faults') ?? []).flatMap(({ keys = [], file, line, flag, fix }) => {
    const wish = fix === undefined ? [] : [labelled('fix', fix)];
    if (flag !== undefined) return [labelled('value', `${keys.join('.')} is set by ${flag}`), ...wish];
    return file === undefined || line === undefined || keys.length === 0
      ? []
      : [labelled('value', `${keys.join('.')} is set in ${onDisk(file)}:${line}`), ...wish];
  });
  return [...new Set(lines)].map((line) => `  ${line}`).join('\n');
}

const at = ({ file, line }: FileLine, onDisk: OnDisk): string => `${onDisk(file)}:${line}`;

/** Keys as they are written into values.yaml. */
const snippet = (keys: readonly string[]): readonly string[] =>
  keys.map((key, depth) => labelled('', `${'  '.repeat(depth + 1)}${key}:${depth === keys.length - 1 ? ' …' : ''}`));

/** Where `default` stands beside a value that fails before it is asked. */
function lateDefault({ text, line }: SourcePlace, value: ValueMistake | undefined): readonly string[] {
  const { keys = [], field } = value ?? {};
  if (value?.problem !== 'is missing' || field === undefined) return [];
  const written = text.split('\n')[line - 1] ?? '';
  const source = `(\\$?\\.Values\\.(?:[\\w.]*\\.)?${keys.at(-1)})\\.${field}\\b`;
  const found =
    new RegExp(`${source}[^}]*\\|\\s*default\\b`).exec(written) ??
    new RegExp(`\\bdefault\\s+(?:"[^"]*"|\\S+)\\s+\\(?${source}`).exec(written);
  const owner = found?.[1];
  if (owner === undefined) return [];
  const instead = `(${owner}).${field}`;
  return [labelled('fix', `or write ${instead}: ${owner}.${field} fails before default is asked, ${instead} does not`)];
}

/** A text of several lines that a template indents too little for its block. */
interface ShortIndent {
  /** The key of the block, and how far it is indented. */
  readonly key: string;
  readonly margin: number;
  /** `indent 2` */
  readonly call: string;
}

function shortIndent({ text, line }: SourcePlace, rendered: SourcePlace | undefined): ShortIndent | undefined {
  const [call, given] = /\bn?indent\s+(\d+)/.exec(text.split('\n')[line - 1] ?? '') ?? [];
  const before = rendered?.text.split('\n').slice(0, rendered.line - 1) ?? [];
  const last = before.findLast((one) => one.trim() !== '') ?? '';
  const [, margin, key] = /^( *)(?:- +)?([^\s:]+):\s*[|>][-+\d]*\s*$/.exec(last) ?? [];
  if (call === undefined || margin === undefined || key === undefined || Number(given) > margin.length)
    return undefined;
  return { key, margin: margin.length, call };
}
