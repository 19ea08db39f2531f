import { messageOf } from '../support/errors.ts';
import { compareText } from '../support/order.ts';
import { ifReadable } from './if-readable.ts';
import { parseUint, quote } from './strconv/strconv.ts';
import { GoError } from './value.ts';

/** A semantic version as github.com/Masterminds/semver/v3 reads it. */
export interface Version {
  readonly major: bigint;
  readonly minor: bigint;
  readonly patch: bigint;
  /** What comes after `-`; '' for a release. */
  readonly prerelease: string;
  /** What comes after `+`. */
  readonly metadata: string;
  readonly original: string;
}

const longestVersion = 256;
const longestConstraint = 512;
const mostGroups = 32;

const suffixes = String.raw`(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?`;
const loosePattern = new RegExp(String.raw`^v?([0-9]+)(?:\.([0-9]+))?(?:\.([0-9]+))?${suffixes}$`);

/**
 * Reads a version, with or without `v`, minor and patch (semver.NewVersion).
 * Throws GoError: `invalid semantic version`, `version segment starts with 0`, ….
 */
export function parseVersion(text: string): Version {
  if (text.length > longestVersion) throw new GoError(`version string is too long (max ${longestVersion} bytes)`);
  const match = loosePattern.exec(text);
  if (match === null) throw new GoError('invalid semantic version');
  const [, major, minor, patch, prerelease = '', metadata = ''] = match;
  const version = { major: segment(major), minor: segment(minor), patch: segment(patch) };
  if (prerelease.split('.').some((part) => /^0[0-9]+$/.test(part))) throw new GoError('version segment starts with 0');
  return { ...version, prerelease, metadata, original: text };
}

/** The same, undefined for what is no version. */
export const looseVersion = (text: string): Version | undefined => ifReadable(() => parseVersion(text));

/** The same of a version with all three numbers, without a `v` (semver.StrictNewVersion); undefined for what is none. */
export const strictVersion = (text: string): Version | undefined =>
  /^(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)(?:[-+]|$)/.test(text) ? looseVersion(text) : undefined;

function segment(digits = '0'): bigint {
  try {
    return parseUint(digits);
  } catch (cause) {
    throw new GoError(`error parsing version segment: ${messageOf(cause)}`, { cause });
  }
}

/** `1.2.3-alpha+build`, without the `v` and with all three numbers. */
export function versionText(version: Version): string {
  const { major, minor, patch, prerelease, metadata } = version;
  return `${major}.${minor}.${patch}${prerelease && `-${prerelease}`}${metadata && `+${metadata}`}`;
}

/** Negative, zero or positive by semver's precedence; metadata does not count. */
export function compareVersions(a: Version, b: Version): number {
  return (
    compareSegments(a.major, b.major) ||
    compareSegments(a.minor, b.minor) ||
    compareSegments(a.patch, b.patch) ||
    comparePrereleases(a.prerelease, b.prerelease)
  );
}

const compareSegments = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);

function comparePrereleases(a: string, b: string): number {
  if (a === b) return 0;
  if (a === '') return 1;
  if (b === '') return -1;
  const left = a.split('.');
  const right = b.split('.');
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    const order = comparePart(left[index] ?? '', right[index] ?? '');
    if (order !== 0) return order;
  }
  return 0;
}

function comparePart(a: string, b: string): number {
  if (a === b) return 0;
  if (a === '') return -1;
  if (b === '') return 1;
  const left = uint64(a);
  const right = uint64(b);
  if (left === undefined && right === undefined) return compareText(a, b);
  if (left === undefined) return 1;
  return right === undefined || left < right ? -1 : 1;
}

function uint64(text: string): bigint | undefined {
  if (!/^[0-9]+$/.test(text)) return undefined;
  const value = BigInt(text);
  return value < 1n << 64n ? value : undefined;
}

type Operator = '=' | '!=' | '>' | '<' | '>=' | '<=' | '~' | '^';

interface Condition {
  readonly operator: Operator;
  readonly version: Version;
  /** Which part of the version is the first to be missing or an `x`; undefined for a whole one. */
  readonly wildcard: 'major' | 'minor' | 'patch' | undefined;
}

/** What `||` joins: each group holds if all its conditions do. */
export interface Constraint {
  readonly groups: readonly (readonly Condition[])[];
}

const operators: Readonly<Record<string, Operator>> = { '': '=', '=>': '>=', '=<': '<=', '~>': '~' };
const operator = '=>|=<|!=|>=|<=|~>|=|>|<|~|\\^';
const blank = '[\\t\\n\\f\\r ]';
const part = '[0-9|xX*]+';
const pattern = String.raw`v?(?:${part})(?:\.${part})?(?:\.${part})?${suffixes.replaceAll('([0-9', '(?:[0-9')}`;
// Written so that it reads each blank in one way only; Masterminds' own expression needs Go's linear-time engine.
const condition = `(?:(?:${operator})${blank}*)?${pattern}`;
const wholeGroup = new RegExp(`^${blank}*${condition}(?:(?:${blank}+|${blank}*,${blank}*)${condition})*${blank}*$`);
const eachCondition = new RegExp(condition, 'g');
const conditionParts = new RegExp(
  String.raw`^(${operator}|)${blank}*v?(${part})(?:\.(${part}))?(?:\.(${part}))?${suffixes}$`,
);
const hyphenRange = new RegExp(`${blank}*(${pattern})${blank}+-${blank}+(${pattern})${blank}*`, 'g');

/** Reads `>= 1.2, < 2 || ~3.1` (semver.NewConstraint). Throws GoError: `improper constraint: "…"`. */
export function parseConstraint(text: string): Constraint {
  if (text.length > longestConstraint)
    throw new GoError(`constraint string is too long (max ${longestConstraint} bytes)`);
  const groups = text.replace(hyphenRange, '>= $1, <= $2 ').split('||');
  if (groups.length > mostGroups) throw new GoError(`too many constraint groups (max ${mostGroups})`);
  return { groups: groups.map(parseGroup) };
}

function parseGroup(text: string): Condition[] {
  if (!wholeGroup.test(text)) throw new GoError(`improper constraint: ${quote(text)}`);
  return (text.match(eachCondition) ?? []).map(parseCondition);
}

function parseCondition(text: string): Condition {
  const match = conditionParts.exec(text);
  if (match === null) throw new GoError(`improper constraint: ${quote(text)}`);
  const [, sign = '', major = '', minor = '', patch = '', prerelease = ''] = match;
  const end = prerelease === '' ? '' : `-${prerelease}`;
  const wildcard = isX(major) ? 'major' : isX(minor) ? 'minor' : isX(patch) ? 'patch' : undefined;
  const complete = {
    major: `0.0.0${end}`,
    minor: `${major}.0.0${end}`,
    patch: `${major}.${minor}.0${end}`,
  };
  const version = wildcard === undefined ? text.slice(sign.length).trim() : complete[wildcard];
  try {
    return { operator: operators[sign] ?? (sign as Operator), version: parseVersion(version), wildcard };
  } catch (cause) {
    throw new GoError('constraint parser error', { cause });
  }
}

const isX = (text: string): boolean => text === '' || text === 'x' || text === 'X' || text === '*';

/** Whether a version meets a constraint; a prerelease only where the group names one too (Constraints.Check). */
export function satisfies(constraint: Constraint, version: Version): boolean {
  return constraint.groups.some((group) => {
    const takesPrereleases = group.some((condition) => condition.version.prerelease !== '');
    if (version.prerelease !== '' && !takesPrereleases) return false;
    return group.every((condition) => meets(version, condition));
  });
}

/** Whether the texts are a constraint and a version that meets it (chartutil.IsCompatibleRange). Never throws. */
export const isCompatibleRange = (constraint: string, version: string): boolean =>
  ifReadable(() => satisfies(parseConstraint(constraint), parseVersion(version))) ?? false;

function meets(version: Version, condition: Condition): boolean {
  const order = compareVersions(version, condition.version);
  switch (condition.operator) {
    case '=':
      return condition.wildcard === undefined ? order === 0 : meetsTilde(version, condition);
    case '!=':
      return !equals(version, condition);
    case '>':
      return isGreater(version, condition);
    case '<':
      return order < 0;
    case '>=':
      return order >= 0;
    case '<=':
      return isAtMost(version, condition);
    case '~':
      return meetsTilde(version, condition);
    case '^':
      return meetsCaret(version, condition);
  }
}

/** Equality in what the condition names; `major` as wildcard names 0, as Masterminds has it. */
function equals(version: Version, { version: wanted, wildcard }: Condition): boolean {
  if (wildcard === undefined) return compareVersions(version, wanted) === 0;
  if (version.major !== wanted.major) return false;
  if (wildcard === 'minor') return true;
  if (version.minor !== wanted.minor) return false;
  if (wildcard === 'major') return compareVersions(version, wanted) === 0;
  return version.prerelease === wanted.prerelease || comparePrereleases(version.prerelease, wanted.prerelease) === 0;
}

function isGreater(version: Version, { version: wanted, wildcard }: Condition): boolean {
  if (wildcard === undefined) return compareVersions(version, wanted) > 0;
  if (version.major !== wanted.major) return version.major > wanted.major;
  if (wildcard === 'minor') return false;
  return wildcard === 'patch' ? version.minor > wanted.minor : compareVersions(version, wanted) > 0;
}

function isAtMost(version: Version, { version: wanted, wildcard }: Condition): boolean {
  if (wildcard === undefined) return compareVersions(version, wanted) <= 0;
  if (version.major !== wanted.major) return version.major < wanted.major;
  return wildcard === 'minor' || version.minor <= wanted.minor;
}

function meetsTilde(version: Version, { version: wanted, wildcard }: Condition): boolean {
  if (compareVersions(version, wanted) < 0) return false;
  const isZero = wanted.major === 0n && wanted.minor === 0n && wanted.patch === 0n;
  if (isZero && wildcard !== 'minor' && wildcard !== 'patch') return true;
  return version.major === wanted.major && (version.minor === wanted.minor || wildcard === 'minor');
}

function meetsCaret(version: Version, { version: wanted, wildcard }: Condition): boolean {
  if (compareVersions(version, wanted) < 0) return false;
  if (wanted.major > 0n || wildcard === 'minor') return version.major === wanted.major;
  if (version.major > 0n) return false;
  if (wanted.minor > 0n || wildcard === 'patch') return version.minor === wanted.minor;
  return version.minor === 0n && version.patch === wanted.patch;
}
