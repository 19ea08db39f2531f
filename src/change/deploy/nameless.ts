import { fieldPlace, objectSubject } from '../../execute/faults.ts';
import { hasObject } from '../../manifest/parse.ts';
import { idOf } from '../../manifest/resource-id.ts';
import type { KubernetesObject, Manifest } from '../../manifest/types.ts';
import { type ObjectProblem, problemOf } from '../../problem/problem.ts';
import { hasCode } from '../../support/errors.ts';
import { lineOfKeys } from '../../yaml/index.ts';

/** Helm asks the server for an object without a name, which refuses: the same failure, with each such object. */
export function withNameless(failure: unknown, manifests: readonly Manifest[]): unknown {
  if (!hasCode(failure, 'ownership-unknown') || failure.details.name !== '') return failure;
  const problems = manifests.filter(hasObject).flatMap(namelessProblem);
  return problems.length === 0 ? failure : failure.wrapped({ message: failure.message, details: { problems } });
}

function namelessProblem(manifest: Manifest): readonly ObjectProblem[] {
  const { object, source, text } = manifest;
  const paths = namelessIn(object, []).map((path) => [...path, 'metadata', 'name']);
  const [first] = paths;
  if (first === undefined) return [];
  const isWritten = lineOfKeys(text, first.map(String)) !== undefined;
  const subject = objectSubject(idOf(manifest.object), source);
  return [
    problemOf({
      subject,
      cause: { code: 'name-missing', path: first, isEmpty: isWritten },
      places: paths.map((path) => fieldPlace(subject, { path })),
      remedies: isWritten ? [] : [{ kind: 'change-field', object: subject.id, path: first, how: 'add' }],
    }),
  ];
}

type Path = readonly (string | number)[];

/** Ways to an object, or to those of a List, that the cluster would give no name either. */
function namelessIn(object: KubernetesObject, path: Path): readonly Path[] {
  const { items, metadata, kind } = object;
  if (kind.endsWith('List') && Array.isArray(items))
    return (items as readonly KubernetesObject[]).flatMap((item, index) => namelessIn(item, [...path, 'items', index]));
  return metadata.name === '' && !metadata.generateName ? [path] : [];
}
