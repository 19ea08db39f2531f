import type { ResourceMapping } from '../../cluster/types.ts';
import { apiVersionOf, groupOf, idOf } from '../../manifest/resource-id.ts';
import type { KubernetesObject, Manifest } from '../../manifest/types.ts';
import { type ObjectProblem, problemOf } from '../../problem/problem.ts';
import type { Remedy } from '../../problem/remedy.ts';
import { TshelmError } from '../../support/errors.ts';
import { nearest } from '../../support/near.ts';
import { fieldPlace, objectSubject } from '../faults.ts';

/** An object, and the template that it comes from. */
export interface Part {
  readonly object: KubernetesObject;
  readonly source: string;
}

/** In the words of kubectl's resource builder, which Helm prints. */
export function unusable(
  manifests: readonly Manifest[],
  unknown: readonly Part[],
  served: readonly ResourceMapping[],
): TshelmError {
  const malformed = manifests.flatMap(({ malformed: parts = [] }) => parts.map(({ message }) => message));
  const problems = [...malformed, ...unknown.map(({ object }) => notServed(object))];
  const text = problems.length === 1 ? problems[0] : `[${problems.join(', ')}]`;
  return new TshelmError(malformed.length > 0 ? 'malformed-object' : 'no-matches-for-kind', {
    message: text ?? '',
    details: {
      kinds: [...new Set(unknown.map(({ object }) => `${object.apiVersion} ${object.kind}`))],
      problems: [
        ...manifests.flatMap((manifest) => malformedProblem(manifest, served)),
        ...unknown.map((part) => unknownKind(part, served)),
      ],
    },
  });
}

/** Of a kind that is misspelt the field `kind` is to be changed. */
function unknownKind({ object, source }: Part, served: readonly ResourceMapping[]): ObjectProblem {
  const subject = objectSubject(idOf(object), source);
  const remedies = kindRemedies(object, served);
  return problemOf({
    subject,
    cause: { code: 'kind-unknown', apiVersion: object.apiVersion, kind: object.kind },
    places: remedies.some(({ kind }) => kind === 'use-name') ? [fieldPlace(subject, { path: ['kind'] })] : [],
    remedies,
  });
}

/** The kind as the server has it: in another version or group, or under nearly the same name. */
function kindRemedies(object: KubernetesObject, served: readonly ResourceMapping[]): readonly Remedy[] {
  const { apiVersion, kind } = object;
  const main = served.filter(({ verbs }) => verbs.includes('create'));
  const [value, or] = new Set(main.filter((one) => one.kind === kind).map(apiVersionOf));
  if (value !== undefined)
    return [{ kind: 'change-field', object: idOf(object), path: ['apiVersion'], instead: apiVersion, value, or }];
  const inGroup = main.filter((one) => one.group === groupOf(apiVersion)).map((one) => one.kind);
  const group = groupOf(apiVersion);
  // A group of its own has kinds of its own, whatever they are called.
  const meant = nearest(
    kind,
    group.includes('.') && !group.endsWith('.k8s.io') ? inGroup : main.map((one) => one.kind),
  );
  if (meant !== undefined) return [{ kind: 'use-name', name: meant, instead: kind, isGuess: true }];
  return group.includes('.') ? [{ kind: 'outside', what: 'install-crd', name: `${kind} (${group})` }] : [];
}

function malformedProblem(manifest: Manifest, served: readonly ResourceMapping[]): readonly ObjectProblem[] {
  const { source, object, malformed = [] } = manifest;
  if (malformed.length === 0) return [];
  const subject = objectSubject(idOf(object), source);
  return [
    problemOf({
      subject,
      cause: { code: 'object-malformed', parts: malformed.map(({ path, reason }) => ({ path, reason })) },
      places: malformed.map(({ path }) => fieldPlace(subject, { path })),
      remedies: lacksVersion(manifest) ? versionRemedies(object, served) : quoteRemedies(manifest),
    }),
  ];
}

/** Whether a manifest says its kind and no apiVersion. */
export const lacksVersion = ({ malformed = [] }: Manifest): boolean =>
  malformed.some(({ path, reason }) => path.length === 0 && reason === 'has no apiVersion');

const quoteRemedies = ({ object, malformed = [] }: Manifest): readonly Remedy[] =>
  malformed.flatMap(({ path, needsQuotes }) =>
    needsQuotes ? [{ kind: 'change-type', object: idOf(object), path, type: 'string' } as const] : [],
  );

/** The missing line, where the server has only one kind of this name. */
function versionRemedies(object: KubernetesObject, served: readonly ResourceMapping[]): readonly Remedy[] {
  const [value, another] = new Set(
    served.filter((one) => one.kind === object.kind && one.verbs.includes('create')).map(apiVersionOf),
  );
  if (value === undefined || another !== undefined) return [];
  return [{ kind: 'change-field', object: idOf(object), path: ['apiVersion'], value }];
}

const missingKind = ({ apiVersion, kind }: KubernetesObject): string =>
  `no matches for kind "${kind}" in version "${apiVersion}"`;

function notServed(object: KubernetesObject): string {
  const { metadata } = object;
  const named = `name: "${metadata.name ?? ''}" namespace: "${metadata.namespace ?? ''}" from ""`;
  return `resource mapping not found for ${named}: ${missingKind(object)}\nensure CRDs are installed first`;
}
