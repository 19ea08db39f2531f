import { attributeName, type FlagSpec, type FlagType, type FlagValues } from './flag-option.ts';

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
  | {
      [Type in FlagType]:
        | (FlagValues[Type] extends Value
            ? { readonly type: Type; readonly parse?: never; readonly as?: never }
            : never)
        | { readonly type: Type; readonly parse?: never; readonly as: (value: FlagValues[Type]) => Value };
    }[FlagType];

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
