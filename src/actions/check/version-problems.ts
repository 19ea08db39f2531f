import { objectSubject } from '../../execute/faults.ts';
import { type DeprecatedPart, deprecatedParts } from '../../kinds/deprecated-fields.ts';
import { builtInType, knownMinors } from '../../kinds/field-types.ts';
import { type Lifecycle, lifecycleOf, replacementIn, stateIn } from '../../kinds/lifecycles.ts';
import { hasField, type ObjectField, objectFields } from '../../kinds/object-fields.ts';
import { type FieldPath, pathText } from '../../manifest/field-path.ts';
import { itemsOf } from '../../manifest/items.ts';
import { idOf } from '../../manifest/resource-id.ts';
import type { KubernetesObject, Manifest } from '../../manifest/types.ts';
import { levelOf } from '../../problem/level.ts';
import { type Place, fieldsIn as pathsIn } from '../../problem/place.ts';
import {
  isOfObject,
  isSameObject,
  type ObjectProblem,
  type ObjectSubject,
  type Problem,
  problemOf,
} from '../../problem/problem.ts';
import type { Remedy } from '../../problem/remedy.ts';
import type { VersionFact } from '../../problem/version-fact.ts';
import type { KubeVersion } from '../../render/kube-version.ts';
import type { JsonObject } from '../../support/json.ts';

interface Versions {
  readonly versions: readonly KubeVersion[];
  /** Whether they are that of a cluster, which said itself what it does not have. */
  readonly isAsked: boolean;
}

/** Problems with what the versions do not have, or no longer want. These say more than that a kind or a field is unknown. */
export function withVersions(
  problems: readonly Problem[],
  manifests: readonly Manifest[],
  { versions, isAsked }: Versions,
): readonly Problem[] {
  const found = manifests
    .filter(({ malformed }) => malformed === undefined)
    .flatMap(({ object, source }) =>
      itemsOf(object).flatMap((item) => versionProblems(item, objectSubject(idOf(item), source), versions)),
    )
    .filter((one) => !isAsked || levelOf(one) !== 'error' || problems.some((problem) => isSameLack(one, problem)));
  const others = problems.filter((problem) => !found.some((one) => isSameLack(one, problem)));
  return [...(isAsked ? others : others.map((problem) => servedThere(problem, versions))), ...found];
}

/** A kind that all the versions serve, and the API server in this process no longer does, is not checked. */
function servedThere(problem: Problem, versions: readonly KubeVersion[]): Problem {
  const { cause } = problem;
  const lifecycle = cause.code === 'kind-unknown' ? lifecycleOf(cause) : undefined;
  if (cause.code !== 'kind-unknown' || lifecycle === undefined || versions.length === 0) return problem;
  const isServed = versions.every(({ minor }) => stateIn(Number.parseInt(minor, 10), lifecycle) === 'served');
  const { apiVersion, kind } = cause;
  return isServed
    ? problemOf({ subject: problem.subject, cause: { code: 'kind-not-checked', apiVersion, kind } as const })
    : problem;
}

function isSameLack(found: ObjectProblem, problem: Problem): boolean {
  if (!isOfObject(problem) || !isSameObject(found.subject.id, problem.subject.id)) return false;
  if (problem.code === 'kind-unknown' || problem.code === 'kind-not-checked') return unservedCodes.has(found.code);
  if (problem.code !== 'field-unknown') return false;
  return samePaths(found.places, problem.places);
}

const samePaths = (a: readonly Place[], b: readonly Place[]): boolean =>
  pathsIn(a).some(({ path }) => pathsIn(b).some((other) => pathText(path) === pathText(other.path)));

const unservedCodes: ReadonlySet<string> = new Set(['kind-removed', 'kind-not-yet', 'kind-not-enabled']);

/**
 * What of an object is gone, deprecated or not there yet in some of these versions of Kubernetes: its kind, or its fields,
 * annotations and labels. Of versions before 1.33 the fields of 1.33 are taken; what no version has is not told here.
 */
export function versionProblems(
  object: KubernetesObject,
  subject: ObjectSubject,
  versions: readonly KubeVersion[],
): readonly ObjectProblem[] {
  const minors = versions.map(({ minor }) => Number.parseInt(minor, 10)).sort((a, b) => a - b);
  const lifecycle = lifecycleOf(object);
  if (lifecycle === undefined || minors.length === 0) return [];
  const fields = new Map<string, ObjectField>();
  for (const minor of minors) {
    for (const field of fieldsIn(object, minor)) {
      const key = field.path.join('\n');
      if (!field.isKnown || !fields.has(key)) fields.set(key, field);
    }
  }
  return [
    ...kindProblems(lifecycle, subject, minors),
    ...[...fields.values()].flatMap((field) => absenceProblems(field, object, subject, minors)),
    ...deprecationProblems([...fields.values()], subject, minors),
  ];
}

function fieldsIn(object: KubernetesObject, minor: number): readonly ObjectField[] {
  const type = builtInType(object.apiVersion, object.kind, minor);
  return type === undefined ? [] : [...objectFields(type, object as unknown as JsonObject)];
}

const versionText = (minor: number): string => `1.${minor}`;

/** One for what some of the versions do not serve; else one if the kind is deprecated in the newest. */
function kindProblems(lifecycle: Lifecycle, subject: ObjectSubject, minors: readonly number[]): ObjectProblem[] {
  const { apiVersion, kind, introduced, deprecated, removed } = lifecycle;
  const newest = minors.at(-1) as number;
  const instead = replacementIn(newest, lifecycle);
  const replacement = instead && {
    apiVersion: instead.apiVersion,
    kind: instead.kind,
    since: versionText(instead.introduced),
  };
  const isServedEverywhere = minors.every((minor) => instead !== undefined && stateIn(minor, instead) === 'served');
  const problem = (fact: VersionFact): ObjectProblem => {
    const isRename = instead?.kind === kind && isServedEverywhere && fact.code !== 'kind-not-yet';
    const remedies = isRename ? [writeApiVersion(subject, apiVersion, instead.apiVersion)] : [];
    return { ...fieldProblem(fact, subject, ['apiVersion']), remedies };
  };
  const among = (state: ReturnType<typeof stateIn>) => ({
    apiVersion,
    kind,
    versions: minors.filter((minor) => stateIn(minor, lifecycle) === state).map(versionText),
  });
  const facts: readonly VersionFact[] = [
    { code: 'kind-removed', since: versionText(removed ?? 0), replacement, ...among('removed') },
    { code: 'kind-not-yet', since: versionText(introduced), ...among('not-yet') },
    { code: 'kind-not-enabled', replacement, ...among('not-enabled') },
  ];
  const unserved = facts.filter((fact) => fact.versions.length > 0);
  if (unserved.length > 0 || deprecated === undefined || deprecated > newest) return unserved.map(problem);
  const removal = removed === undefined ? undefined : versionText(removed);
  const since = versionText(deprecated);
  const versionsToo = minors.filter((minor) => minor >= deprecated).map(versionText);
  return [
    problem({ code: 'kind-deprecated', apiVersion, kind, since, removed: removal, replacement, versions: versionsToo }),
  ];
}

const writeApiVersion = ({ id }: ObjectSubject, instead: string, value: string): Remedy => ({
  kind: 'change-field',
  object: id,
  path: ['apiVersion'],
  instead,
  value,
});

/** A field that some of the versions do not have, and another version has. */
function absenceProblems(
  { path, isKnown }: ObjectField,
  { apiVersion, kind }: KubernetesObject,
  subject: ObjectSubject,
  minors: readonly number[],
): ObjectProblem[] {
  if (isKnown) return [];
  const having = knownMinors.filter((minor) => hasField(builtInType(apiVersion, kind, minor), path));
  const [first, last] = [having[0], having.at(-1)];
  if (first === undefined || last === undefined) return [];
  const field = pathText(path);
  const facts: readonly VersionFact[] = [
    {
      code: 'field-removed',
      field,
      since: versionText(last + 1),
      versions: minors.filter((minor) => minor > last).map(versionText),
    },
    {
      code: 'field-not-yet',
      field,
      since: versionText(first),
      versions: minors.filter((minor) => minor < first).map(versionText),
    },
  ];
  return facts.filter(({ versions }) => versions.length > 0).map((fact) => fieldProblem(fact, subject, path));
}

/** Not of an annotation where the field that replaces it is set as well: charts for many versions have both. */
function deprecationProblems(
  fields: readonly ObjectField[],
  subject: ObjectSubject,
  minors: readonly number[],
): ObjectProblem[] {
  const set = new Set(fields.map(({ name }) => name));
  const parts = fields.filter(({ isKnown }) => isKnown).flatMap(deprecatedParts);
  return parts
    .filter(({ instead }) => instead === undefined || !set.has(instead))
    .flatMap((part) => {
      const fact = deprecationFact(part, minors);
      if (fact === undefined) return [];
      const { word, instead } = part;
      const remedies: readonly Remedy[] =
        instead === undefined ? [] : [{ kind: 'use-name', name: instead, instead: word }];
      return [{ ...fieldProblem(fact, subject, part.path), remedies }];
    });
}

function deprecationFact(
  { path, deprecated, inactive = Number.POSITIVE_INFINITY, driver }: DeprecatedPart,
  minors: readonly number[],
): VersionFact | undefined {
  const field = pathText(path);
  const since = (minor: number): readonly string[] => minors.filter((one) => one >= minor).map(versionText);
  if (since(inactive).length > 0) {
    return { code: 'field-inactive', field, since: versionText(inactive), versions: since(inactive) };
  }
  if (deprecated === undefined && inactive !== Number.POSITIVE_INFINITY) return undefined;
  const versions = since(deprecated ?? 0);
  const text = deprecated === undefined ? undefined : versionText(deprecated);
  return versions.length === 0 ? undefined : { code: 'field-deprecated', field, since: text, driver, versions };
}

const fieldProblem = (fact: VersionFact, subject: ObjectSubject, path: FieldPath): ObjectProblem =>
  problemOf({
    subject,
    cause: fact,
    places: [{ kind: 'field', object: subject.id, template: subject.template, path }],
  });
