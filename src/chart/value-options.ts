import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { goPathError } from '../go/path-error.ts';
import { decodeText } from '../go/text.ts';
import type { GoMap, Value } from '../go/value.ts';
import { messageOf, TshelmError } from '../support/errors.ts';
import { trimPrefix } from '../support/text.ts';
import { parseSet } from './set/parser.ts';
import { assign, assigned, cannotParse } from './set/set-options.ts';
import { deepCopy, mergeMaps } from './tables.ts';
import { parsedValuesFile, readValues } from './values-file.ts';

/** What the user says about values, by flag; each flag may come several times (pkg/cli/values.Options). */
export interface ValueOptions {
  /** What it is laid over, such as the values of a release that an upgrade reuses. */
  readonly base?: GoMap | undefined;
  /** `-f`, `--values`: paths, URLs, or `-` for standard input. */
  readonly valueFiles?: readonly string[] | undefined;
  /** `--set-json` */
  readonly setJson?: readonly string[] | undefined;
  /** `--set` */
  readonly set?: readonly string[] | undefined;
  /** `--set-string` */
  readonly setString?: readonly string[] | undefined;
  /** `--set-file`: the values are paths, URLs or `-`. */
  readonly setFile?: readonly string[] | undefined;
  /** `--set-literal` */
  readonly setLiteral?: readonly string[] | undefined;
}

const flagOptions = ['valueFiles', 'setJson', 'set', 'setString', 'setFile', 'setLiteral'] as const;

/** The values that flags give, what they all stand on left out. */
export type ValueFlags = Omit<ValueOptions, 'base'>;

/** For each flag what was said first, and behind it what was said later. */
export const joinedValues = (first: ValueFlags, later: ValueFlags): ValueFlags =>
  Object.fromEntries(flagOptions.map((option) => [option, [...(first[option] ?? []), ...(later[option] ?? [])]]));

/** The assignments that tell a secret by its key: `auth.password=…`. The files of --set-file are not here. */
export const assignmentsIn = ({ set = [], setString = [], setJson = [], setLiteral = [] }: ValueFlags) => [
  ...set,
  ...setString,
  ...setJson,
  ...setLiteral,
];

/** Where files of values come from. */
export interface ValueSources {
  readStdin(): Promise<Uint8Array>;
  /** Downloads a URL; undefined where nothing fetches its scheme: it is then the name of a file, as in Helm. */
  readonly download?: ((url: string) => Promise<Uint8Array | undefined>) | undefined;
  /** A file in plain, where it is encrypted; else undefined. `sops`: to the byte as the program sops prints it; default: for its values. */
  readonly decrypt?:
    | ((path: string, data: Uint8Array, spelling?: 'values' | 'sops') => Promise<Uint8Array | undefined>)
    | undefined;
  /** Replaces references with the secrets that they name. The contents of files as values, and literals, are not looked at. */
  readonly resolve?: ((values: GoMap) => Promise<GoMap>) | undefined;
}

/**
 * The values that the user gave, the later over the earlier: files, then --set-json, --set, --set-string, --set-file
 * and --set-literal, whatever their order was on the command line. Go: Options.MergeValues.
 * Fails with `values-unreadable` or `values-invalid`, in Helm's words.
 */
export async function mergeValues(options: ValueOptions, sources: ValueSources): Promise<GoMap> {
  let values: GoMap = options.base === undefined ? new Map() : deepCopy(options.base);
  for (const path of options.valueFiles ?? []) values = mergeMaps(values, await readValuesFile(path, sources));
  values = assigned(values, options);
  values = (await sources.resolve?.(values)) ?? values;
  for (const text of options.setFile ?? []) await setFile(text, values, sources);
  for (const text of options.setLiteral ?? []) assign('--set-literal', text, values, { kind: 'literal' });
  return values;
}

/** Where files of values come from without waiting: from the disk alone. */
export interface ValueSourcesSync {
  /** Reads a file's YAML; default {@link readValues}. */
  readonly parse?: ((data: Uint8Array) => GoMap) | undefined;
}

/** The same at once, for files on this machine. */
export function mergeValuesSync(options: ValueOptions, { parse = readValues }: ValueSourcesSync = {}): GoMap {
  let values: GoMap = options.base === undefined ? new Map() : deepCopy(options.base);
  for (const path of options.valueFiles ?? []) {
    const data = readHere(path);
    values = mergeMaps(values, parsedValuesFile(path, data, parse));
  }
  // What is set below is written into the tables, which `parse` may keep.
  values = deepCopy(values);
  values = assigned(values, options);
  for (const text of options.setFile ?? []) {
    const read = (path: string): Value => decodeText(readHere(path));
    assign('--set-file', text, values, { kind: 'text', read });
  }
  for (const text of options.setLiteral ?? []) assign('--set-literal', text, values, { kind: 'literal' });
  return values;
}

function readHere(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw new TshelmError('values-unreadable', {
      message: goPathError('open', path, cause).message,
      details: { path },
      cause,
    });
  }
}

async function readValuesFile(path: string, sources: ValueSources): Promise<GoMap> {
  const data = await readSource(path, { ...sources, spelling: 'values' }, (cause) => {
    throw new TshelmError('values-unreadable', { message: messageOf(cause), details: { path }, cause });
  });
  return parsedValuesFile(path, data, readValues);
}

async function readSource(
  path: string,
  { spelling, ...sources }: ValueSources & { readonly spelling: 'values' | 'sops' },
  unreadable: (cause: unknown) => never,
): Promise<Uint8Array> {
  const data = await readWritten(path, sources).catch(unreadable);
  return (await sources.decrypt?.(withoutSecretsScheme(path), data, spelling)) ?? data;
}

async function readWritten(path: string, sources: ValueSources): Promise<Uint8Array> {
  if (path.trim() === '-') return sources.readStdin();
  const plain = withoutSecretsScheme(path);
  for (const one of new Set([path, plain])) {
    const downloaded = /^[a-z][a-z0-9+.-]*:/i.test(one) ? await sources.download?.(one) : undefined;
    if (downloaded !== undefined) return downloaded;
  }
  const [, form = ''] = /^secrets\+([\w-]+):\/\//.exec(plain) ?? [];
  if (form !== '') throw new Error(`secrets+${form}:// needs the plugin helm-secrets; ${withoutPlugin(form)}`);
  try {
    return await readFile(plain);
  } catch (cause) {
    throw goPathError('open', plain, cause);
  }
}

/** What does the same as a form of helm-secrets. */
function withoutPlugin(form: string): string {
  if (form.startsWith('age-import')) return 'without it, name the file alone, and its key by SOPS_AGE_KEY_FILE';
  if (form.startsWith('gpg-import')) return 'without it, name the file alone, and import its key with gpg';
  return 'without it, a value may be a reference such as ref+vault://…';
}

/** `secrets://PATH` of the plugin helm-secrets, which is not needed for it. */
const withoutSecretsScheme = (path: string): string => trimPrefix(path, 'secrets://');

/** The grammar knows no waiting: a trial run says which files to read. */
async function setFile(text: string, values: GoMap, sources: ValueSources): Promise<void> {
  const flag = '--set-file';
  const contents = new Map<string, string>();
  for (const path of pathsIn(text, values)) {
    const data = await readSource(path, { ...sources, spelling: 'sops' }, (cause) => {
      throw cannotParse(flag, text, cause);
    });
    contents.set(path, decodeText(data));
  }
  assign(flag, text, values, { kind: 'text', read: (path) => contents.get(path) });
}

function pathsIn(text: string, values: GoMap): string[] {
  const paths: string[] = [];
  const read = (path: string): Value => {
    paths.push(path);
    return '';
  };
  try {
    parseSet(text, deepCopy(values), { kind: 'text', read });
  } catch {
    // The files before the mistake are read first, as in Helm; then the real run reports it.
  }
  return paths;
}
