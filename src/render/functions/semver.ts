import {
  compareVersions,
  parseConstraint,
  parseVersion,
  satisfies,
  type Version,
  versionText,
} from '../../go/semver.ts';
import { GoError, type GoFunction, GoInt, GoObject, type Value } from '../../go/value.ts';
import { utf8Bytes } from '../../support/bytes.ts';
import { type FunctionTable, goFunction } from '../../template/function.ts';

export const semverFunctions: FunctionTable = {
  semver: goFunction(
    'func(string) (*semver.Version, error)',
    (text: string) => new SemanticVersion(parseVersion(text)),
  ),
  semverCompare: goFunction('func(string, string) (bool, error)', (constraint: string, version: string) =>
    satisfies(parseConstraint(constraint), parseVersion(version)),
  ),
};

/** A `*semver.Version`, or the `semver.Version` that IncMajor and its like give. */
export class SemanticVersion extends GoObject {
  override readonly goType: 'semver.Version' | '*semver.Version';
  override readonly goKind: 'struct' | 'ptr';
  readonly version: Version;

  constructor(version: Version, goKind: 'struct' | 'ptr' = 'ptr') {
    super();
    this.version = version;
    this.goKind = goKind;
    this.goType = goKind === 'ptr' ? '*semver.Version' : 'semver.Version';
  }

  override hasField(): boolean {
    return false;
  }
  override field(): Value {
    return undefined;
  }
  /** None is exported. */
  override fields(): readonly (readonly [string, Value])[] {
    const { major, minor, patch, prerelease, metadata, original } = this.version;
    return [
      ['major', new GoInt('uint64', major)],
      ['minor', new GoInt('uint64', minor)],
      ['patch', new GoInt('uint64', patch)],
      ['pre', prerelease],
      ['metadata', metadata],
      ['original', original],
    ];
  }
  override exportedFields(): readonly (readonly [string, Value])[] {
    return [];
  }
  override comparedBy(): readonly Value[] {
    return [versionText(this.version), this.version.original];
  }
  override stringer(): string {
    return versionText(this.version);
  }
  override encoded(): Value {
    return versionText(this.version);
  }
  override method(name: string): GoFunction | undefined {
    if (this.goKind === 'struct' && pointerMethods.has(name)) return undefined;
    return versionMethods[name]?.(this.version);
  }
  /** What copystructure makes of it: no field of a Version is exported. */
  copiedByField(): SemanticVersion {
    const zero = { major: 0n, minor: 0n, patch: 0n, prerelease: '', metadata: '', original: '' };
    return new SemanticVersion(zero, this.goKind);
  }
}

type Method = (version: Version) => GoFunction;

const compared =
  (holds: (order: number) => boolean): Method =>
  (version) =>
    goFunction('func(*semver.Version) bool', (other: Value) => holds(compareVersions(version, versionOf(other))));

const versionMethods: Readonly<Record<string, Method>> = {
  Major: (version) => goFunction('func() uint64', () => version.major),
  Minor: (version) => goFunction('func() uint64', () => version.minor),
  Patch: (version) => goFunction('func() uint64', () => version.patch),
  Prerelease: (version) => goFunction('func() string', () => version.prerelease),
  Metadata: (version) => goFunction('func() string', () => version.metadata),
  Original: (version) => goFunction('func() string', () => version.original),
  String: (version) => goFunction('func() string', () => versionText(version)),
  Compare: (version) =>
    goFunction('func(*semver.Version) int', (other: Value) => Math.sign(compareVersions(version, versionOf(other)))),
  LessThan: compared((order) => order < 0),
  LessThanEqual: compared((order) => order <= 0),
  GreaterThan: compared((order) => order > 0),
  GreaterThanEqual: compared((order) => order >= 0),
  Equal: (version) =>
    goFunction(
      'func(*semver.Version) bool',
      (other: Value) => other instanceof SemanticVersion && compareVersions(version, other.version) === 0,
    ),
  IncMajor: (version) =>
    goFunction('func() semver.Version', () =>
      changed(version, { major: next(version.major, 'major'), minor: 0n, patch: 0n, prerelease: '', metadata: '' }),
    ),
  IncMinor: (version) =>
    goFunction('func() semver.Version', () =>
      changed(version, { minor: next(version.minor, 'minor'), patch: 0n, prerelease: '', metadata: '' }),
    ),
  IncPatch: (version) =>
    goFunction('func() semver.Version', () => {
      const patch = version.prerelease === '' ? next(version.patch, 'patch') : version.patch;
      return changed(version, { patch, prerelease: '', metadata: '' });
    }),
  SetPrerelease: (version) =>
    goFunction('func(string) (semver.Version, error)', (prerelease: string) => {
      checkPrerelease(prerelease);
      return changed(version, { prerelease });
    }),
  SetMetadata: (version) =>
    goFunction('func(string) (semver.Version, error)', (metadata: string) => {
      if (!/^(?:[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$/.test(metadata)) throw new GoError('invalid metadata string');
      return changed(version, { metadata });
    }),
  Value: (version) => goFunction('func() (any, error)', () => versionText(version)),
  MarshalJSON: (version) => goFunction('func() ([]uint8, error)', () => utf8Bytes(`"${versionText(version)}"`)),
  MarshalText: (version) => goFunction('func() ([]uint8, error)', () => utf8Bytes(versionText(version))),
};

/** Methods that only a pointer has: what IncMajor gives lacks them. */
const pointerMethods: ReadonlySet<string> = new Set([
  'Original',
  'Compare',
  'LessThan',
  'LessThanEqual',
  'GreaterThan',
  'GreaterThanEqual',
  'Equal',
]);

function versionOf(value: Value): Version {
  if (value instanceof SemanticVersion) return value.version;
  throw new GoError('runtime error: invalid memory address or nil pointer dereference');
}

function next(segment: bigint, name: string): bigint {
  if (segment === 2n ** 64n - 1n) throw new GoError(`${name} version increment would overflow uint64`);
  return segment + 1n;
}

/** A changed version keeps the `v` that the original began with. */
function changed(version: Version, change: Partial<Version>): SemanticVersion {
  const result = { ...version, ...change };
  const prefix = version.original.startsWith('v') ? 'v' : '';
  return new SemanticVersion({ ...result, original: prefix + versionText(result) }, 'struct');
}

function checkPrerelease(prerelease: string): void {
  if (prerelease === '') return;
  for (const part of prerelease.split('.')) {
    if (/^0[0-9]+$/.test(part)) throw new GoError('version segment starts with 0');
    if (!/^[0-9A-Za-z-]+$/.test(part)) throw new GoError('invalid prerelease string');
  }
}
