import { existsSync, readFileSync } from 'node:fs';
import { parseSet } from '../../chart/set/parser.ts';
import { isObjectText } from '../../chart/set/set-options.ts';
import type { ValueOptions } from '../../chart/value-options.ts';
import { readJsonMap } from '../../go/json/json.ts';
import type { GoMap } from '../../go/value.ts';
import type { Place, ValuePlace } from '../../problem/place.ts';
import type { Problem } from '../../problem/problem.ts';
import type { Remedy } from '../../problem/remedy.ts';
import { addedDetail, TshelmError } from '../../support/errors.ts';
import type { GivenAt } from '../../words/problem.ts';
import { lineOfKeys } from '../../yaml/index.ts';

/** The same failure; its problems name the file and line, or the flag, of values that the user gave. */
export function withGivenPlaces(
  failure: unknown,
  options: ValueOptions,
  given?: (keys: readonly string[]) => GivenAt | undefined,
): unknown {
  if (!(failure instanceof TshelmError)) return failure;
  const placed = (problem: Problem): Problem => withGivenPlace(problem, options, given);
  const problems = addedDetail(failure, 'problems')?.map(placed);
  const find = addedDetail(failure, 'findProblems');
  const findProblems = find && (() => find().map(placed));
  return failure.wrapped({
    message: failure.message,
    details: { ...(problems && { problems }), ...(findProblems && { findProblems }) },
  });
}

/** The same of one problem. `find`: where a value is given. */
export function withGivenPlace(
  problem: Problem,
  options: ValueOptions,
  find = (keys: readonly string[]) => givenAt(keys, options),
): Problem {
  const own = ownFile(options);
  const placed = (value: ValuePlace): ValuePlace =>
    value.isGiven ? { ...value, ...find(value.keys) } : { ...value, ownFile: own ?? value.ownFile };
  const located = (place: Place): Place => {
    if (place.kind === 'value') return placed(place);
    return place.kind === 'field' ? { ...place, values: place.values?.map(placed) } : place;
  };
  const inOwnFile = (remedy: Remedy): Remedy =>
    remedy.kind === 'set-value' && remedy.value === undefined ? { ...remedy, ownFile: own ?? remedy.ownFile } : remedy;
  return { ...problem, places: problem.places.map(located), remedies: problem.remedies.map(inOwnFile) };
}

/** The user's last file of values on this machine, where what is missing belongs. */
const ownFile = ({ valueFiles = [] }: ValueOptions): string | undefined =>
  valueFiles.findLast((file) => existsSync(file));

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
export function setBy(flag: string, text: string): GoMap {
  const values: GoMap = new Map();
  try {
    if (flag === '--set-json' && isObjectText(text)) return readJsonMap(text.trim());
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

export function hasKeys(values: unknown, [key, ...rest]: readonly string[]): boolean {
  if (key === undefined) return true;
  if (Array.isArray(values)) return hasKeys(values[Number(key)], rest);
  return values instanceof Map && values.has(key) && hasKeys(values.get(key), rest);
}
