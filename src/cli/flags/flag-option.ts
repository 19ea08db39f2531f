import { Option } from 'commander';
import { attributeName, boolOf, type FlagSpec, type FlagType, type OutputFormat } from '../../change/option-rows.ts';
import { parseInt } from '../../go/strconv/strconv.ts';
import { parseDuration } from '../../go/time/duration.ts';
import type { Remedy } from '../../problem/remedy.ts';
import { messageOf, TshelmError } from '../../support/errors.ts';

/** A commander option that reads its text as Go's pflag does; every value reaches commander as `--name=text`. */
export class FlagOption extends Option {
  readonly type: FlagType;
  readonly alone: string | undefined;
  readonly placeholder: string;
  readonly deprecated: string | undefined;
  readonly warning: FlagSpec['warning'];
  readonly instead: string | undefined;
  /** The words that its value may be, where these are few. */
  readonly words: readonly string[];

  constructor(name: string, spec: FlagSpec) {
    super(`${spec.short === undefined ? '' : `-${spec.short}, `}--${name} <value>`, spec.description);
    // Commander takes --no-x for the opposite of --x; to Helm it is a flag of that name.
    this.negate = false;
    this.type = spec.type;
    this.alone = spec.type === 'bool' ? 'true' : spec.alone;
    this.placeholder = spec.type === 'bool' ? '' : (spec.placeholder ?? spec.type);
    if (spec.default !== undefined) this.default(spec.default);
    this.deprecated = spec.deprecated;
    this.warning = spec.warning;
    this.instead = spec.instead;
    this.words = spec.choices?.filter((choice) => typeof choice === 'string') ?? [];
    if (spec.hidden || spec.deprecated !== undefined) this.hideHelp();
    this.argParser((text: string, previous: unknown) => this.read(text, previous, spec));
  }

  /** `--no-hooks` is `noHooks`: commander would call it `hooks`. */
  override attributeName(): string {
    return attributeName((this.long ?? '').slice(2));
  }

  /** `--keep-history`, `--timeout duration`, `--keep-objects[=SELECTOR]`. */
  get term(): string {
    return termOfFlag(this.long ?? '', this.placeholder);
  }

  /** `-m, --max`, as pflag names a flag in its errors. */
  get title(): string {
    return this.short === undefined ? `${this.long}` : `${this.short}, ${this.long}`;
  }

  private read(text: string, previous: unknown, spec: FlagSpec): unknown {
    try {
      if (spec.once !== undefined && previous !== undefined && previous !== spec.default) throw new Error(spec.once);
      const value = readFlag(text, spec);
      if (Array.isArray(value)) return [...givenBefore(previous, spec), ...value];
      return value instanceof Map ? new Map([...(previous instanceof Map ? previous : []), ...value]) : value;
    } catch (cause) {
      const message = `invalid argument ${JSON.stringify(text)} for "${this.title}" flag: ${messageOf(cause)}`;
      const remedies = remediesFor(text, spec);
      const hint = remedies.length === 0 ? hintFor(`${this.long}`, spec) : '';
      throw new TshelmError('bad-flag', { message: message + hint, cause, details: { remedies } });
    }
  }
}

/** What to write, where the message is one of Go's. */
function hintFor(flag: string, { type, parse, instead }: FlagSpec): string {
  const form = parse === undefined ? forms[type]?.map((example) => `${flag}${example}`).join(', ') : undefined;
  const lines = [form === undefined ? [] : `Write ${form}`, instead ?? []].flat();
  return lines.map((line) => `\n${line}`).join('');
}

const forms: { readonly [Type in FlagType]?: readonly string[] } = {
  bool: ['', '=true', '=false'],
  int: ['=10'],
  duration: ['=30s', '=5m', '=1h30m'],
  stringToString: ['=team=web,tier=front'],
};

/** A number where a duration is asked for lacks its unit. */
const remediesFor = (text: string, { type }: FlagSpec): readonly Remedy[] =>
  type === 'duration' && /^\d+(?:\.\d+)?$/.test(text) ? [{ kind: 'use-name', name: `${text}s`, instead: text }] : [];

/** A flag's name and the placeholder of its value. One that begins with `[=` belongs to a value that may be left out. */
export const termOfFlag = (name: string, placeholder: string): string =>
  placeholder.startsWith('[=') ? `${name}${placeholder}` : `${name} ${placeholder}`.trimEnd();

const givenBefore = (previous: unknown, spec: FlagSpec): unknown[] =>
  Array.isArray(previous) && previous !== spec.default ? previous : [];

function readFlag(text: string, spec: FlagSpec): unknown {
  switch (spec.type) {
    case 'bool':
      return readBool(text);
    case 'int':
      return readInt(text);
    case 'duration':
      return Number(parseDuration(text) / 1_000_000n);
    case 'strings':
      return readCommaList(text);
    case 'stringArray':
      return [text];
    case 'stringToString':
      return readPairs(text);
    case 'format':
      return readFormat(text);
    case 'string':
      return spec.parse === undefined ? text : spec.parse(text);
    case 'choice':
      return spec.parse === undefined ? readChoice(text, spec) : spec.parse(text);
  }
}

function readChoice(text: string, { choices = [] }: FlagSpec): unknown {
  if (choices.length === 0 || choices.includes(text)) return text;
  throw new Error(`must be one of: ${choices.join(', ')}`);
}

function readBool(text: string): boolean {
  const value = boolOf(text);
  if (value === undefined) throw new Error(`strconv.ParseBool: parsing ${JSON.stringify(text)}: invalid syntax`);
  return value;
}

/** Integers as Go writes them in source too: `0x10`, `1_000`. */
const readInt = (text: string): number => Number(parseInt(text, 0));

/** pflag's stringSlice: one line of CSV, so that `a,"b,c"` is two values. */
export const readCommaList = (text: string): string[] => (text === '' ? [] : readRecord(text));

/** pflag's stringToString: `a=1,b=2`; a single pair may be in quotes, and may have commas. */
function readPairs(text: string): Map<string, string> {
  const signs = text.split('=').length - 1;
  const pairs = signs === 0 ? [text] : signs === 1 ? [text.replace(/^"+|"+$/g, '')] : readRecord(text);
  return new Map(
    pairs.map((pair): [string, string] => {
      const at = pair.indexOf('=');
      if (at < 0) throw new Error(`${pair} must be formatted as key=value`);
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}

/** The fields of a record, as encoding/csv reads its first line. */
function readRecord(text: string): string[] {
  const [line = ''] = text.replace(/^\n+/, '').split('\n');
  const fields: string[] = [];
  const quoted = /"((?:[^"]|"")*)"(?=,|$)/y;
  for (let start = 0; start <= line.length; start++) {
    quoted.lastIndex = start;
    const match = quoted.exec(line);
    if (match === null && line[start] === '"') throw csvError(misplacedQuote(line, start), extraQuote);
    const end = match === null ? endOfField(line, start) : quoted.lastIndex;
    const field = match?.[1]?.replaceAll('""', '"') ?? line.slice(start, end);
    if (match === null && field.includes('"')) throw csvError(start + field.indexOf('"'), bareQuote);
    fields.push(field);
    start = end;
  }
  return fields;
}

const endOfField = (line: string, start: number): number => {
  const comma = line.indexOf(',', start);
  return comma < 0 ? line.length : comma;
};

/** The quote that ends a quoted field and is followed by more of it; the end of the line where none does. */
function misplacedQuote(line: string, start: number): number {
  const rest = /^"(?:[^"]|"")*(?=")/.exec(line.slice(start));
  return rest === null ? line.length : start + rest[0].length;
}

const extraQuote = 'extraneous or missing " in quoted-field';
const bareQuote = 'bare " in non-quoted-field';
const csvError = (index: number, problem: string): Error =>
  new Error(`parse error on line 1, column ${index + 1}: ${problem}`);

function readFormat(text: string): OutputFormat {
  if (text === 'table' || text === 'json' || text === 'yaml') return text;
  throw new Error('invalid format type; it may be table, json or yaml');
}
