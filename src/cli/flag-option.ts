import { Option } from 'commander';
import { parseDuration } from '../support/duration.ts';
import { messageOf, TshelmError } from '../support/errors.ts';

/** How a flag's text is read; the words are those that Helm's help prints. */
export type FlagType =
  | 'bool'
  | 'string'
  | 'strings'
  | 'stringArray'
  | 'stringToString'
  | 'int'
  | 'duration'
  | 'format'
  | 'choice';

export interface FlagSpec {
  readonly type: FlagType;
  readonly description: string;
  readonly short?: string | undefined;
  readonly default?: unknown;
  /** What the flag means when it stands alone, as `--wait`; with it, a value needs `=`. */
  readonly alone?: string | undefined;
  /** Checks and converts the text of a `string` or `choice` flag; a thrown message is shown as Helm shows it. */
  readonly parse?: ((text: string) => unknown) | undefined;
  /** Helm 3's name of the flag, still accepted. */
  readonly hidden?: boolean | undefined;
  /** What to do instead of using the flag, which help does not show; said whenever it is used. */
  readonly deprecated?: string | undefined;
  readonly placeholder?: string | undefined;
  /** What is said when the flag comes again; without it the last one counts. */
  readonly once?: string | undefined;
}

/** A commander option that reads its text as Go's pflag does; every value reaches commander as `--name=text`. */
export class FlagOption extends Option {
  readonly type: FlagType;
  readonly alone: string | undefined;
  readonly placeholder: string;
  readonly deprecated: string | undefined;

  constructor(name: string, spec: FlagSpec) {
    super(`${spec.short === undefined ? '' : `-${spec.short}, `}--${name} <value>`, spec.description);
    // Commander takes --no-x for the opposite of --x; to Helm it is a flag of that name.
    this.negate = false;
    this.type = spec.type;
    this.alone = spec.type === 'bool' ? 'true' : spec.alone;
    this.placeholder = spec.type === 'bool' ? '' : (spec.placeholder ?? spec.type);
    if (spec.default !== undefined) this.default(spec.default);
    this.deprecated = spec.deprecated;
    if (spec.hidden || spec.deprecated !== undefined) this.hideHelp();
    this.argParser((text: string, previous: unknown) => this.read(text, previous, spec));
  }

  /** `--no-hooks` is `noHooks`: commander would call it `hooks`. */
  override attributeName(): string {
    return (this.long ?? '').slice(2).replace(/-(\w)/g, (_dash, letter: string) => letter.toUpperCase());
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
      throw new TshelmError('bad-flag', { message, cause });
    }
  }
}

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
    case 'choice':
      return spec.parse === undefined ? text : spec.parse(text);
  }
}

/** What Go's strconv.ParseBool takes for true and false; undefined for anything else. */
export function boolOf(text: string): boolean | undefined {
  if (/^(1|t|T|true|TRUE|True)$/.test(text)) return true;
  return /^(0|f|F|false|FALSE|False)$/.test(text) ? false : undefined;
}

function readBool(text: string): boolean {
  const value = boolOf(text);
  if (value === undefined) throw new Error(`strconv.ParseBool: parsing ${JSON.stringify(text)}: invalid syntax`);
  return value;
}

function readInt(text: string): number {
  if (!/^[+-]?\d+$/.test(text)) throw new Error(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
  return Number(text);
}

/** pflag's stringSlice: one line of CSV, so that `a,"b,c"` is two values. */
export function readCommaList(text: string): string[] {
  if (text === '') return [];
  const values: string[] = [];
  const field = /(?:"((?:[^"]|"")*)"|([^,]*))(,|$)/y;
  for (;;) {
    const match = field.exec(text);
    if (match === null) throw new Error('parse error on line 1: bare " in non-quoted field');
    values.push(match[1] === undefined ? (match[2] ?? '') : match[1].replaceAll('""', '"'));
    if (match[3] === '') return values;
  }
}

/** pflag's stringToString: `a=1,b=2`. */
function readPairs(text: string): Map<string, string> {
  const pairs = text === '' ? [] : text.split('=').length === 2 ? [text] : readCommaList(text);
  return new Map(
    pairs.map((pair): [string, string] => {
      const at = pair.indexOf('=');
      if (at < 0) throw new Error(`${pair} must be formatted as key=value`);
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}

export type OutputFormat = 'table' | 'json' | 'yaml';

function readFormat(text: string): OutputFormat {
  if (text === 'table' || text === 'json' || text === 'yaml') return text;
  throw new Error('invalid format type');
}
