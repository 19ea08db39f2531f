import { resolve } from 'node:path';
import { mergeMaps } from '../chart/tables.ts';
import { joinedValues, mergeValues, type ValueOptions } from '../chart/value-options.ts';
import { readValues } from '../chart/values-file.ts';
import { formatValue } from '../go/fmt/format.ts';
import { writeJson } from '../go/json/json.ts';
import { encodeText } from '../go/text.ts';
import type { GoList, GoMap, Value } from '../go/value.ts';
import { hasReference } from '../secrets/reader.ts';
import { messageOf } from '../support/errors.ts';
import { splitOnce } from '../support/text.ts';
import { writeYamlPretty } from '../yaml/index.ts';
import { located, withLocation } from './location.ts';
import type { StackFile } from './read-stack.ts';
import { absolute, invalid, isRemote, joined, type Place, type Reading, resolveFiles } from './reading.ts';
import { releaseData } from './release-templates.ts';
import type { ReleaseSpec, SetValue } from './schema.ts';
import { readMap, renderedFile } from './values-files.ts';

/** YAML of a file that a field of a release names, or of a map that is there. */
export interface ValuesText {
  readonly text: string;
  readonly field: string;
  readonly name: string | undefined;
}

/** What a release says of its values, as helmfile would hand it to Helm. */
export interface ReleaseValues {
  /** Each over the one before. */
  readonly texts: readonly ValuesText[];
  readonly set: readonly string[];
  readonly setString: readonly string[];
  readonly setFile: readonly string[];
}

/** What words for Helm add to the values of a release: before its own, and after them. */
export interface AddedValues {
  readonly under?: ValueOptions | undefined;
  readonly over?: ValueOptions | undefined;
}

/** The values that the user gives a release: what Helm would be given with `--values` and `--set`. */
export async function valuesOfRelease(
  release: ReleaseSpec,
  file: StackFile,
  reading: Reading,
  { under = {}, over = {} }: AddedValues = {},
): Promise<GoMap> {
  await withOutsideFiles(release, file, reading);
  const { texts, set, setString, setFile } = releaseValues(release, file, reading);
  checkAddedFiles([under, over], file, reading);
  const sources = { readStdin: async (): Promise<Uint8Array> => new Uint8Array() };
  const files = async (base: GoMap, { valueFiles = [] }: ValueOptions): Promise<GoMap> =>
    mergeValues({ base, valueFiles: valueFiles.map((path) => absolute(file.place, path)) }, sources);
  const before = await files(new Map(), under);
  const base = texts.reduce<GoMap>((below, text) => mergeMaps(below, valuesIn(text, release, file)), before);
  const all = joinedValues(joinedValues(under, { set, setString, setFile }), over);
  const merged = mergeValues({ ...all, valueFiles: [], base: await files(base, over) }, sources);
  const field = set.length + setFile.length > 0 ? 'set' : 'setString';
  const isOwn = release.set !== undefined || release.setString !== undefined;
  return merged.catch((error: unknown) => {
    throw isOwn ? withLocation(error, () => file.locate({ field, release: release.name })) : error;
  });
}

/** The path or the URL of a file of values, as the release names it. */
const pathOf = (name: string, { valuesPathPrefix = '' }: ReleaseSpec, { base }: Place): string =>
  joined(base, `${valuesPathPrefix}${name}`);

/** Has the files that are elsewhere or encrypted at hand; what cannot be had fails where it is read. */
export async function withOutsideFiles(
  release: ReleaseSpec,
  file: StackFile,
  { outside, world, secrets }: Reading,
): Promise<void> {
  const at = (entry: Value): string | undefined =>
    typeof entry === 'string' ? pathOf(entry, release, file.place) : undefined;
  const here = (path: string): string => (isRemote(path) ? outside.pathOf(path) : absolute(file.place, path));
  for (const path of (release.values ?? []).map(at)) if (path !== undefined) await outside.ready(() => here(path));
  for (const path of (release.secrets ?? []).map(at)) {
    if (path === undefined) continue;
    await outside.ready(() => {
      if (world.kindOf(here(path)) === 'file') secrets.requireFile(here(path));
    });
  }
}

/** Errors: `stack-untrusted` where words for Helm name files that may not be read. */
function checkAddedFiles(added: readonly ValueOptions[], file: StackFile, { world: { untrusted } }: Reading): void {
  const named = added.flatMap(({ valueFiles = [], setFile = [] }) => [
    ...valueFiles,
    ...setFile.flatMap((text) => text.split(',').map((part) => splitOnce(part, '=')[1] ?? part)),
  ]);
  located(
    () => file.locate({ field: 'args', part: 'helmDefaults' }),
    () => named.forEach((name) => untrusted?.check(absolute(file.place, name))),
  );
}

/** Errors: `stack-invalid`, naming the file and the line that names it. */
function valuesIn({ text, field, name }: ValuesText, release: ReleaseSpec, { place, locate }: StackFile): GoMap {
  try {
    return readValues(encodeText(text));
  } catch (cause) {
    const at = locate({ field, release: release.name, text: name });
    throw invalid(place.file, `failed to load ${field} file "${name ?? ''}": ${messageOf(cause)} (${at})`, cause);
  }
}

/** The texts and assignments of a release. Errors: `stack-invalid`, `secret-failed`. */
export function releaseValues(release: ReleaseSpec, file: StackFile, reading: Reading): ReleaseValues {
  const assigned = (field: 'set' | 'setString') =>
    located(
      () => file.locate({ field, release: release.name }),
      () => assignments(release[field] ?? [], file, reading),
    );
  const [set, setString] = [assigned('set'), assigned('setString')];
  return {
    texts: textsOfRelease(release, file, reading),
    set: [...set.texts, ...variables(release, file, reading)],
    setString: setString.texts,
    setFile: set.files,
  };
}

/** What `values` and `secrets` say, each over the one before. Errors: those of releaseValues. */
export const textsOfRelease = (release: ReleaseSpec, file: StackFile, reading: Reading): readonly ValuesText[] => [
  ...ownTexts(release, file, reading),
  ...secretTexts(release, file, reading),
];

function ownTexts(release: ReleaseSpec, file: StackFile, reading: Reading): ValuesText[] {
  const entries = located(
    () => file.locate({ field: 'values', release: release.name, text: 'ref+' }),
    () => reading.secrets.at(file.place.cwd).resolve(release.values ?? []) as GoList,
  );
  return textsOf({ field: 'values', entries }, release, file, reading);
}

/** What a field of a release lists. */
interface Listed {
  readonly field: string;
  readonly entries: GoList;
}

/** The texts of entries: files, with templates and references carried out, and maps. */
export function textsOf(
  { field, entries }: Listed,
  release: ReleaseSpec,
  file: StackFile,
  reading: Reading,
): ValuesText[] {
  return entries.flatMap((entry) => {
    const name = typeof entry === 'string' ? entry : undefined;
    const found = located(
      () => file.locate({ field, release: release.name, text: name }),
      () => textsOfEntry(entry, release, file, reading),
    );
    return found.map((text) => ({ text, field, name }));
  });
}

function textsOfEntry(entry: Value, release: ReleaseSpec, file: StackFile, reading: Reading): string[] {
  const { place, spec } = file;
  if (entry instanceof Map) return [writeYamlPretty(entry)];
  if (typeof entry !== 'string') throw invalid(place.file, `unexpected type of value: value=${formatValue(entry)}`);
  const missing = release.missingFileHandler ?? spec.missingFileHandler;
  const found = resolveFiles('values', pathOf(entry, release, place), { place, missing }, reading);
  if (found.length > 1) {
    throw invalid(
      place.file,
      'glob patterns in release values and secrets is not supported yet. please submit a feature request if necessary',
    );
  }
  return found.map((one) => fileText(one, release, file, reading));
}

function fileText(name: string, release: ReleaseSpec, file: StackFile, reading: Reading): string {
  try {
    const text = renderedFile(absolute(file.place, name), reading, () => releaseData(release, file));
    return hasReference(text) ? writeYamlPretty(reading.secrets.at(file.place.cwd).resolve(readMap(text, name))) : text;
  } catch (cause) {
    throw invalid(file.place.file, `failed to render values files "${name}": ${messageOf(cause)}`, cause);
  }
}

/**
 * Fails with `secret-failed` where the release needs a program for its secrets that is not there. What templates print,
 * and files that hooks may still write, are not looked at.
 */
export function requireSecretPrograms(release: ReleaseSpec, { place }: StackFile, { world, secrets }: Reading): void {
  const files = (entries: GoList): string[] =>
    entries
      .flatMap((entry) => (typeof entry === 'string' ? [absolute(place, pathOf(entry, release, place))] : []))
      .filter((path) => world.kindOf(path) === 'file');
  for (const { value, values } of [...(release.set ?? []), ...(release.setString ?? [])]) {
    secrets.requirePrograms([value ?? '', values ?? []]);
  }
  for (const path of files(release.secrets ?? [])) secrets.requireFile(path);
  const values = release.values ?? [];
  secrets.requirePrograms(values.filter((entry) => entry instanceof Map));
  for (const path of files(values).filter((name) => !name.endsWith('.gotmpl'))) {
    const text = world.readFile(path);
    if (hasReference(text)) secrets.requirePrograms(readMap(text, path));
  }
}

/** `secrets:` are files that sops encrypted; each counts after all values. */
function secretTexts(release: ReleaseSpec, file: StackFile, reading: Reading): ValuesText[] {
  const { place, spec } = file;
  const missing = release.missingFileHandler ?? spec.missingFileHandler;
  const names = (release.secrets ?? []).filter((entry) => typeof entry === 'string');
  return names.flatMap((name) =>
    located(
      () => file.locate({ field: 'secrets', release: release.name, text: name }),
      () =>
        resolveFiles('secrets', `${release.valuesPathPrefix ?? ''}${name}`, { place, missing }, reading).map((one) => ({
          text: reading.secrets.decryptFile(absolute(place, one)),
          field: 'secrets',
          name,
        })),
    ),
  );
}

function assignments(
  entries: readonly SetValue[],
  { place }: StackFile,
  reading: Reading,
): { readonly texts: readonly string[]; readonly files: readonly string[] } {
  const secrets = reading.secrets.at(place.cwd);
  const texts: string[] = [];
  const files: string[] = [];
  for (const { name = '', value = '', file = '', values = [] } of entries) {
    const key = escaped(name);
    if (value !== '') texts.push(`${key}=${escaped(formatValue(secrets.resolve(value)))}`);
    else if (file !== '') {
      const path = resolve(place.cwd, joined(place.base, file));
      reading.world.untrusted?.check(path);
      files.push(`${key}=${path}`);
    } else if (values.length > 0) {
      const items = values.map((item) => escaped(itemText(secrets.resolve(item))));
      texts.push(`${key}={${items.join(',')}}`);
    }
  }
  return { texts, files };
}

const itemText = (item: Value): string => (typeof item === 'string' ? item : writeJson(item));

const escaped = (text: string): string => text.replace(/[{},]/g, '\\$&');

/** `env:` takes values from the environment. */
function variables(
  { name: release, env = [] }: ReleaseSpec,
  { place, locate }: StackFile,
  { world }: Reading,
): readonly string[] {
  const missing = env.filter(({ value = '' }) => world.env[value] === undefined).map(({ value = '' }) => `\t${value}`);
  if (missing.length > 0) {
    const message = `Environment Variables not found. Please make sure they are set and try again:\n${missing.join('\n')} (${locate({ field: 'env', release })})`;
    throw invalid(place.file, message);
  }
  return env.map(({ name = '', value = '' }) => `${escaped(name)}=${escaped(world.env[value] ?? '')}`);
}
