import { ifReadable } from '../go/if-readable.ts';
import { parseBool } from '../go/strconv/strconv.ts';
import { TshelmError } from '../support/errors.ts';
import { camelCase } from '../support/text.ts';

/** What a flag's text becomes; the names are those that Helm's help prints. */
export interface FlagValues {
  readonly bool: boolean;
  readonly string: string;
  readonly strings: readonly string[];
  readonly stringArray: readonly string[];
  readonly stringToString: ReadonlyMap<string, string>;
  readonly int: number;
  readonly duration: number;
  readonly format: OutputFormat;
  readonly choice: string;
}

export type FlagType = keyof FlagValues;

export interface FlagSpec {
  readonly type: FlagType;
  readonly description: string;
  readonly short?: string | undefined;
  readonly default?: unknown;
  /** What the flag means when it stands alone, as `--wait`; with it, a value needs `=`. */
  readonly alone?: string | undefined;
  /** What the option may be; a `choice` reads its text as one of them. */
  readonly choices?: readonly (string | boolean)[] | undefined;
  /** Checks and converts the text of a `string` or `choice` flag; a thrown message is shown as Helm shows it. */
  readonly parse?: ((text: string) => unknown) | undefined;
  /** Accepted, and not shown by help. */
  readonly hidden?: boolean | undefined;
  /** What to do instead of using the flag, which help does not show; said whenever it is used. */
  readonly deprecated?: string | undefined;
  /** What to do instead of giving a value that is refused. */
  readonly instead?: string | undefined;
  /** A line of Helm's log that some values bring forth, like `--wait=true`. */
  readonly warning?: ((text: string) => string | undefined) | undefined;
  readonly placeholder?: string | undefined;
  /** What is said when the flag comes again; without it the last one counts. */
  readonly once?: string | undefined;
}

export type OutputFormat = 'table' | 'json' | 'yaml';

/**
 * Flags by name, each with the one option of `Options` that it gives. A row compiles only if there is such an option and
 * it takes what the flag's text becomes: `{ 'keep-history': { type: 'bool', option: 'keepHistory', description: … } }`.
 * Write a table of rows with `satisfies FlagRows<UninstallOptions>`. Flags that no action is told of (how the terminal
 * shows a result) are `satisfies Record<string, FlagSpec>`.
 */
export type FlagRows<Options> = Readonly<Record<string, FlagRow<Options>>>;

type FlagRow<Options> = { [Name in keyof Options]-?: Row<Name, NonNullable<Options[Name]>> }[keyof Options];

type Row<Name, Value> = Omit<FlagSpec, 'type' | 'parse'> & { readonly option: Name } & Reading<Value>;

/** The ways from a flag's text to an option's value. `parse` fails as pflag fails, `as` in the words of the command. */
type Reading<Value> =
  | Parsed<Value>
  | Chosen<Value>
  | {
      [Type in FlagType]:
        | (FlagValues[Type] extends Value
            ? { readonly type: Type; readonly parse?: never; readonly as?: never }
            : never)
        | { readonly type: Type; readonly parse?: never; readonly as: (value: FlagValues[Type]) => Value };
    }[FlagType];

/** A text that is one of the option's own. */
interface Chosen<Value> {
  readonly type: 'choice';
  readonly choices: readonly Extract<Value, string>[];
  readonly parse?: never;
  readonly as?: never;
}

interface Parsed<Value> {
  readonly type: 'string' | 'choice';
  readonly parse: (text: string) => Value;
  readonly as?: never;
}

type CamelCase<Name extends string> = Name extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

/** What the text of a flag becomes. */
type ValueOf<Spec> = Spec extends { readonly parse: (text: string) => infer Value }
  ? Value
  : Spec extends { readonly type: 'choice'; readonly choices: readonly (infer Choice extends string)[] }
    ? Choice
    : Spec extends { readonly type: infer Type extends FlagType }
      ? FlagValues[Type]
      : never;

type WithDefault<Specs> = {
  [Name in keyof Specs]: Specs[Name] extends { readonly default: unknown } ? Name : never;
}[keyof Specs];

/** The flags as commander hands them over: `noHooks` for `no-hooks`; missing where not given, unless there is a default. */
export type FlagsOf<Specs> = {
  readonly [Name in WithDefault<Specs> as CamelCase<Name & string>]: ValueOf<Specs[Name]>;
} & {
  readonly [Name in Exclude<keyof Specs, WithDefault<Specs>> as CamelCase<Name & string>]?: ValueOf<Specs[Name]>;
};

type AnyRow = FlagSpec & { readonly option: PropertyKey; readonly as?: (value: never) => unknown };
type OptionValue<Row> = Row extends { readonly as: (value: never) => infer Value } ? Value : ValueOf<Row>;

/** The options that the rows give. */
export type OptionsOf<Rows extends Readonly<Record<string, AnyRow>>> = {
  readonly [Name in Rows[keyof Rows]['option']]?: OptionValue<Extract<Rows[keyof Rows], { readonly option: Name }>>;
};

/**
 * The options that the flags of these rows give; those of flags that were not given are left out. Of two flags for one
 * option, a name and its older one, it is enough that either is set. Errors: those of the rows' `as`.
 */
export function optionsOf<const Rows extends Readonly<Record<string, AnyRow>>>(
  rows: Rows,
  flags: FlagsOf<Rows>,
): OptionsOf<Rows> {
  const given: Readonly<Record<string, unknown>> = flags;
  const options: Record<PropertyKey, unknown> = {};
  for (const [name, { option, as }] of Object.entries<AnyRow>(rows)) {
    const value = given[attributeName(name)];
    if (value !== undefined) options[option] ||= as === undefined ? value : as(value as never);
  }
  return options as OptionsOf<Rows>;
}

/** Those of the options that have a row here. */
export const optionsWithRows = <const Rows extends Readonly<Record<string, AnyRow>>>(
  rows: Rows,
  options: object,
): OptionsOf<Rows> => {
  const names = new Set<PropertyKey>(Object.values<AnyRow>(rows).map(({ option }) => option));
  const known = Object.entries(options).filter(([name, value]) => names.has(name) && value !== undefined);
  return Object.fromEntries(known) as OptionsOf<Rows>;
};

/** `no-hooks` is `noHooks`. */
export const attributeName = camelCase;

/** What Go's strconv.ParseBool takes for true and false; undefined for anything else. */
export const boolOf = (text: string): boolean | undefined => ifReadable(() => parseBool(text));

/** A time, or a count, that a flag gives. Errors: `bad-flag`. */
export function requireNotNegative(flag: string): (durationMs: number) => number {
  return (durationMs) => {
    if (durationMs >= 0) return durationMs;
    throw new TshelmError('bad-flag', { message: `${flag} must not be negative: ${durationMs / 1000}s` });
  };
}
