import { mergeMaps } from '../chart/tables.ts';
import { mergeValues, mergeValuesSync, type ValueSources } from '../chart/value-options.ts';
import { GoError, type GoMap } from '../go/value.ts';
import { mayBeEncrypted } from '../sops/may-be-encrypted.ts';
import { TshelmError } from '../support/errors.ts';
import { library } from './charts.ts';
import { goValues, type Values } from './values.ts';

/** The user's values: files first, overridden by `values`, then by the strings of Helm's `--set` flags in Helm's order. */
export interface ValuesOptions {
  /** Plain objects; they override the files. */
  readonly values?: Values | undefined;
  /** Paths of YAML files; later ones win. Asynchronous calls also accept URLs (`https:`, `oci:`). */
  readonly valueFiles?: readonly string[] | undefined;
  /** Texts as of `--set`: `image.tag=1.2`. */
  readonly set?: readonly string[] | undefined;
  /** As `set`, and every value is a string. */
  readonly setString?: readonly string[] | undefined;
  /** `key={"json": true}`, or one object. */
  readonly setJson?: readonly string[] | undefined;
  /** `key=path`: the file's content is the value. */
  readonly setFile?: readonly string[] | undefined;
  /** As `set`, and nothing in the value has a meaning: `password=a,b`. */
  readonly setLiteral?: readonly string[] | undefined;
}

/** For calls that may ask others for values. */
export interface ReferenceOptions {
  /**
   * Replaces references such as `ref+vault://…` in the values with the secrets that they name, as vals does; the programs `vals` and `sops`
   * may run for them. Default false: whoever writes a reference chooses what is read.
   */
  readonly secretRefs?: boolean | undefined;
}

/** What the options say, over the base. Errors: `values-unreadable`, `values-invalid`, `value-unsupported`. */
export async function userValues(
  options: ValuesOptions,
  { resolve, ...doors }: Omit<ValueSources, 'readStdin'>,
  base?: GoMap,
): Promise<GoMap> {
  const sources = {
    ...doors,
    readStdin: async () => {
      throw new Error('values are not read from standard input');
    },
  };
  const fromFiles = await mergeValues({ base, valueFiles: options.valueFiles }, sources);
  return mergeValues({ ...options, valueFiles: [], base: withGiven(fromFiles, options) }, { ...sources, resolve });
}

/** Whether it is a URL rather than a path. */
export const hasScheme = (text: string): boolean => /^[a-z]+:\/\//i.test(text);

/** The same at once, from files on this machine. */
export function userValuesSync(options: ValuesOptions): GoMap {
  const url = options.valueFiles?.find(hasScheme);
  if (url !== undefined) {
    const message = `renderSync only reads local values files, but ${url} has to be downloaded: use render`;
    throw new TshelmError('values-unreadable', { message, details: { path: url } });
  }
  const fromFiles = mergeValuesSync({ valueFiles: options.valueFiles }, { parse: openValues });
  return mergeValuesSync({ ...options, valueFiles: [], base: withGiven(fromFiles, options) });
}

function openValues(data: Uint8Array): GoMap {
  if (mayBeEncrypted(data))
    throw new GoError('renderSync does not wait for encrypted files to be decrypted: use render');
  return library.values(data);
}

const withGiven = (fromFiles: GoMap, { values }: ValuesOptions): GoMap =>
  values === undefined ? fromFiles : mergeMaps(fromFiles, goValues(values));
