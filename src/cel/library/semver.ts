import { compareVersions, strictVersion, type Version } from '../../go/semver.ts';
import { CelError } from '../error.ts';
import type { Library } from './library.ts';

/** github.com/blang/semver's Version */
class Semver {
  readonly version: Version;

  constructor(version: Version) {
    this.version = version;
  }
}

function semverOf(text: string, isTolerant = false): Semver {
  const version = strictVersion(isTolerant ? normalized(text) : text);
  if (version === undefined) throw new CelError(problemOf(text, isTolerant));
  return new Semver(version);
}

/** semverlib.go, normalizeAndParse: no `v`, no leading zeros, three numbers. */
function normalized(text: string): string {
  const [major = '', minor, ...rest] = text.replace(/^v/, '').split('.');
  const parts = minor === undefined ? [major] : [major, minor, ...(rest.length > 0 ? [rest.join('.')] : [])];
  const bare = parts.map((part) => (part.length > 1 ? part.replace(/^0+(?=\d)/, '') : part));
  if (bare.length < 3 && /[+-]/.test(bare.at(-1) ?? ''))
    throw new CelError('short version cannot contain PreRelease/Build meta data');
  return [...bare, '0', '0'].slice(0, Math.max(3, bare.length)).join('.');
}

/** semver.Parse, for the usual mistakes. */
function problemOf(text: string, isTolerant: boolean): string {
  const parts = (isTolerant ? normalized(text) : text).split('.');
  if (text === '') return 'Version string empty';
  if (parts.length < 3) return 'No Major.Minor.Patch elements found';
  const at = parts.slice(0, 2).findIndex((part) => !/^\d+$/.test(part));
  if (at >= 0) return `Invalid character(s) found in ${at === 0 ? 'major' : 'minor'} number "${parts[at]}"`;
  return `Invalid character(s) found in patch number "${parts[2]}"`;
}

function isSemver(text: string, isTolerant = false): boolean {
  try {
    return semverOf(text, isTolerant) !== undefined;
  } catch (error) {
    if (error instanceof CelError) return false;
    throw error;
  }
}

const compare = (a: Semver, b: Semver): bigint => BigInt(Math.sign(compareVersions(a.version, b.version)));

const name = 'kubernetes.Semver';

export const semver: Library = {
  types: { [name]: Semver },
  functions: {
    [`semver(string): ${name}`]: (text: string) => semverOf(text),
    [`semver(string, bool): ${name}`]: semverOf,
    'isSemver(string): bool': (text: string) => isSemver(text),
    'isSemver(string, bool): bool': isSemver,
    [`${name}.major(): int`]: ({ version }: Semver) => version.major,
    [`${name}.minor(): int`]: ({ version }: Semver) => version.minor,
    [`${name}.patch(): int`]: ({ version }: Semver) => version.patch,
    [`${name}.isGreaterThan(${name}): bool`]: (a: Semver, b: Semver) => compare(a, b) > 0n,
    [`${name}.isLessThan(${name}): bool`]: (a: Semver, b: Semver) => compare(a, b) < 0n,
    [`${name}.compareTo(${name}): int`]: compare,
  },
  operators: { [`${name} == ${name}`]: (a: Semver, b: Semver) => compare(a, b) === 0n },
};
