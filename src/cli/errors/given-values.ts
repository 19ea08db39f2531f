import { existsSync, readFileSync } from 'node:fs';
import { parseSet } from '../../chart/set/parser.ts';
import type { ValueOptions } from '../../chart/value-options.ts';
import { readJsonMap } from '../../go/json/json.ts';
import type { GoMap } from '../../go/value.ts';
import type { Place, ValuePlace } from '../../problem/place.ts';
import type { Remedy } from '../../problem/remedy.ts';
import type { ValueMistake } from '../../render/value-mistake.ts';
import { addedDetail, type Fault, TshelmError } from '../../support/errors.ts';
import { lineOfKeys } from '../../yaml/index.ts';

/** Where the user gave a value, as far as that is known: a file with its line, or a flag. */
export type GivenAt = { readonly file: string; readonly line: number } | { readonly flag: string };

/** The same failure; of the values that the user gave, its faults tell the file and line, or the flag. */
export function withGivenPlaces(failure: unknown, options: ValueOptions): unknown {
  if (!(failure instanceof TshelmError)) return failure;
  const placed = (value: ValuePlace): ValuePlace =>
    value.isGiven ? { ...value, ...givenAt(value.keys, options) } : { ...value, ownFile: ownFile(options) };
  const located = (place: Place): Place => {
    if (place.kind === 'value') return placed(place);
    return place.kind === 'field' ? { ...place, values: place.values?.map(placed) } : place;
  };
  const worded = (remedy: Remedy): Remedy =>
    remedy.kind === 'sentence' ? { ...remedy, text: inOwnFile(remedy.text, ownFile(options)) } : remedy;
  const problems = addedDetail(failure, 'problems')?.map((problem) => ({
    ...problem,
    places: problem.places.map(located),
    remedies: problem.remedies.map(worded),
  }));
  const faults = addedDetail(failure, 'faults')?.map((fault) => givenFault(fault, options));
  const found = addedDetail(failure, 'value');
  const value =
    found &&
    (() => {
      const mistake = found();
      return mistake && givenMistake(mistake, options);
    });
  return failure.wrapped({
    message: failure.message,
    details: {
      ...(problems && { problems }),
      ...(faults && { faults }),
      ...(value && { value }),
    },
  });
}

const givenMistake = (mistake: ValueMistake, options: ValueOptions): ValueMistake => ({
  ...mistake,
  given: givenAt(mistake.keys, options),
  ownFile: ownFile(options),
});

function givenFault({ fix, ...misfit }: Fault, options: ValueOptions): Fault {
  const file = ownFile(options);
  const fault = { ...misfit, ...(fix !== undefined && { fix: inOwnFile(fix, file) }) };
  if (fault.keys?.length === 0) return file === undefined ? fault : { ...fault, file, line: undefined };
  const given = fault.keys && givenAt(fault.keys, options);
  if (given === undefined) return fault;
  return 'file' in given ? { ...fault, ...given } : { ...fault, file: undefined, line: undefined, flag: given.flag };
}

/** The user's last file of values on this machine, where what is missing belongs. */
const ownFile = ({ valueFiles = [] }: ValueOptions): string | undefined =>
  valueFiles.findLast((file) => existsSync(file));

/** `set a with -f, with --set, or in values.yaml` where the user has a file of values: `set a in ci.yaml or with --set`. */
export const inOwnFile = (fix: string, file: string | undefined): string =>
  file === undefined
    ? fix
    : fix
        .replace('with -f, with --set, or in values.yaml', () => `in ${file} or with --set`)
        .replace('with -f, with --set, ', () => `in ${file}, with --set, `);

/** The last of the flags and files that give a value, in the order in which Helm merges them. */
export function givenAt(keys: readonly string[], { valueFiles = [], ...flags }: ValueOptions): GivenAt | undefined {
  for (const [flag, texts = []] of [
    ['--set-literal', flags.setLiteral],
    ['--set-file', flags.setFile],
    ['--set-string', flags.setString],
    ['--set', flags.set],
    ['--set-json', flags.setJson],
  ] as const)
    if (texts.some((text) => hasKeys(setBy(flag, text), keys))) return { flag };
  for (const file of valueFiles.toReversed()) {
    const line = lineIn(file, keys);
    if (line !== undefined) return { file, line };
  }
  return undefined;
}

/** What one text of a flag sets. It has been read once: what cannot be read sets nothing here. */
function setBy(flag: string, text: string): GoMap {
  const values: GoMap = new Map();
  try {
    if (flag === '--set-json' && text.trimStart().startsWith('{')) return readJsonMap(text.trim());
    if (flag === '--set-json') parseSet(text, values, { kind: 'json' });
    else if (flag === '--set-literal') parseSet(text, values, { kind: 'literal' });
    else parseSet(text, values, { kind: 'text', read: (value) => value });
  } catch {
    // Its values before the mistake count.
  }
  return values;
}

/** Files on this machine; others would have to be fetched again. */
function lineIn(file: string, keys: readonly string[]): number | undefined {
  try {
    return lineOfKeys(readFileSync(file, 'utf8'), keys);
  } catch {
    return undefined;
  }
}

function hasKeys(values: unknown, [key, ...rest]: readonly string[]): boolean {
  if (key === undefined) return true;
  if (Array.isArray(values)) return hasKeys(values[Number(key)], rest);
  return values instanceof Map && values.has(key) && hasKeys(values.get(key), rest);
}
