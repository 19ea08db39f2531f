import { resolve } from 'node:path';
import type { ValueOptions } from '../../chart/value-options.ts';
import type { Problem } from '../../problem/problem.ts';
import type { ReleaseInFile } from '../../stack/work/tools.ts';
import type { GivenAt } from '../../words/problem.ts';
import { givenAt, hasKeys, withGivenPlace, withGivenPlaces } from '../errors/given-values.ts';
import { shortPath } from '../terminal/short-path.ts';

/** What the command line gives to every release. */
export const valuesOfLine = ({
  values = [],
  set = [],
}: {
  readonly values?: readonly string[];
  readonly set?: readonly string[];
}): ValueOptions => ({
  valueFiles: values,
  set,
});

/** The command line: what it gives to every release, and the folder that it was written in. */
export interface StackLine {
  readonly given: ValueOptions;
  readonly cwd: string;
}

/** The failure of a release; its problems name the file and line, in the stack or beside it, of values that were given. */
export const placedFailure = (failure: unknown, of: ReleaseInFile, line: StackLine): unknown =>
  withGivenPlaces(failure, withFilesOf(of, line), (keys) => shownIn(line, givenInStack(keys, of, line.given)));

/** The same of one problem. */
export const placedInRelease = (problem: Problem, of: ReleaseInFile, line: StackLine): Problem =>
  withGivenPlace(problem, withFilesOf(of, line), (keys) => shownIn(line, givenInStack(keys, of, line.given)));

const shownIn = ({ cwd }: StackLine, at: GivenAt | undefined): GivenAt | undefined =>
  at !== undefined && 'file' in at ? { ...at, file: shortPath(at.file, cwd) } : at;

const withFilesOf = ({ release, file }: ReleaseInFile, { given, cwd }: StackLine): ValueOptions => {
  const { valueFiles = [] } = given;
  const own = (release.values ?? []).flatMap((one) => (typeof one === 'string' ? [resolve(file.place.cwd, one)] : []));
  return { valueFiles: [...own.map((path) => shortPath(path, cwd)), ...valueFiles] };
};

/** The last of what gives a value: files of the command line, then the state file's `set`, and its files and maps of values. */
function givenInStack(
  keys: readonly string[],
  { release, file }: ReleaseInFile,
  line: ValueOptions,
): GivenAt | undefined {
  const name = keys.join('.');
  const lineOf = (entry: Parameters<typeof file.locate>[0]): GivenAt | undefined => {
    const [, path, line] = /^(.*):(\d+)$/.exec(file.locate({ ...entry, release: release.name })) ?? [];
    return path === undefined ? undefined : { file: path, line: Number(line) };
  };
  const given = givenAt(keys, line);
  if (given !== undefined) return given;
  for (const field of ['setString', 'set'] as const)
    if (release[field]?.some((one) => one.name === name)) return lineOf({ field, text: name });
  for (const one of [...(release.values ?? []), ...(release.secrets ?? [])].toReversed()) {
    if (typeof one !== 'string' && hasKeys(one, keys)) return lineOf({ field: 'values', keys });
    const found = typeof one === 'string' ? givenAt(keys, { valueFiles: [resolve(file.place.cwd, one)] }) : undefined;
    if (found !== undefined) return found;
  }
  return lineOf({ field: 'values' });
}
