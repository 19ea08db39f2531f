import { expandVariables } from '../go/expand.ts';
import { readJson } from '../go/json/json.ts';
import { localZone } from '../go/time/zone.ts';
import { GoError, type GoFunction } from '../go/value.ts';
import { engineFunctions, templateFunctions } from '../render/engine-functions.ts';
import { durationFunctions } from '../render/functions/durations.ts';
import { boundFunctions, fixedFunctions } from '../render/functions/table.ts';
import { Time } from '../render/functions/time-object.ts';
import { builtins } from '../template/builtins.ts';
import { type FunctionTable, goFunction } from '../template/function.ts';
import { FunctionSet } from './template.ts';
import { TypedValue } from './value.ts';

export interface FunctionSetOptions {
  /** The clock of `now`, `ago` and certificates. Default: this machine's. */
  readonly now?: (() => Date) | undefined;
  /** Where random texts, keys and passwords come from. Default: the platform's generator. */
  readonly randomBytes?: ((count: number) => Uint8Array) | undefined;
  /** The zone of `Local`, by its IANA name. Default: this machine's. */
  readonly timeZone?: string | undefined;
}

export interface SprigOptions extends FunctionSetOptions {
  /** What `env` and `expandenv` see. Default: nothing. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
}

/** The functions of sprig, as its TxtFuncMap has them; `getHostByName` finds nothing. */
export function sprig(options: SprigOptions = {}): FunctionSet {
  const functions = { ...allFunctions(options), ...sprigsOwn(options) };
  for (const name of helmsOwn) delete functions[name];
  return new FunctionSet(() => functions);
}

/**
 * The functions that charts have in Helm: sprig's without `env` and `expandenv`, and `include`, `tpl`, `required`, `toYaml`
 * and the like. `lookup` finds nothing.
 */
export function helm(options: FunctionSetOptions = {}): FunctionSet {
  const functions = { ...allFunctions(options), ...chartFunctions() };
  return new FunctionSet((set) => ({ ...functions, ...templateFunctions(set) }));
}

/** A Date as a time.Time, with its methods. `timeZone` is its zone. */
export function time(date: Date, timeZone?: string): TypedValue {
  const zone = localZone(timeZone);
  const unixSeconds = Math.floor(date.getTime() / 1000);
  const nanoseconds = (date.getTime() - unixSeconds * 1000) * 1_000_000;
  return new TypedValue(new Time({ unixSeconds, nanoseconds, zone }, zone));
}

function allFunctions(options: FunctionSetOptions): Record<string, GoFunction> {
  const { now = () => new Date(), randomBytes = cryptoBytes, timeZone } = options;
  const added = [...fixedFunctions].filter(([name, value]) => builtins.get(name) !== value);
  const environment = { now, randomBytes, timeZone, enableDns: false };
  const functions = { ...Object.fromEntries(added), ...boundFunctions(environment) };
  for (const name of keyMakers) functions[name] = refused(name, functions[name] as GoFunction);
  return functions;
}

/** WebCrypto makes keys and certificates, and its promises come too late for a template. */
const keyMakers = [
  'buildCustomCert',
  'genCA',
  'genCAWithKey',
  'genPrivateKey',
  'genSelfSignedCert',
  'genSelfSignedCertWithKey',
  'genSignedCert',
  'genSignedCertWithKey',
];

const refused = (name: string, { signature }: GoFunction): GoFunction =>
  goFunction(signature, () => {
    throw new GoError(`no keys and certificates are made here: give a function ${name} of your own`);
  });

const mostBytesAtOnce = 65_536;

function cryptoBytes(count: number): Uint8Array {
  const bytes = new Uint8Array(count);
  for (let at = 0; at < count; at += mostBytesAtOnce)
    globalThis.crypto.getRandomValues(bytes.subarray(at, at + mostBytesAtOnce));
  return bytes;
}

/** Helm's, which sprig has not. */
const helmsOwn = [
  ...Object.keys(durationFunctions),
  'fromJsonArray',
  'fromToml',
  'fromYaml',
  'fromYamlArray',
  'mustToToml',
  'mustToYaml',
  'toToml',
  'toYaml',
  'toYamlPretty',
];

/** Where Helm has put its own in the place of sprig's, or left them out. */
const sprigsOwn = ({ env = {} }: SprigOptions): FunctionTable => ({
  fromJson: goFunction('func(string) any', (text: string) => {
    try {
      return readJson(text);
    } catch (error) {
      if (error instanceof GoError) return null;
      throw error;
    }
  }),
  env: goFunction('func(string) string', (name: string) => env[name] ?? ''),
  expandenv: goFunction('func(string) string', (text: string) => expandVariables(text, (name) => env[name] ?? '')),
});

/** Linting hears what `required` and `fail` say without the marks by which Helm finds it again in its own message. */
const chartFunctions = (): FunctionTable =>
  engineFunctions({
    lintMode: true,
    onLint: (message) => {
      throw new GoError(message);
    },
  });
