import { type ObjectFault, placeInChart } from '../../execute/faults.ts';
import { hasObject } from '../../manifest/parse.ts';
import type { KubernetesObject, Manifest } from '../../manifest/types.ts';
import { hasCode } from '../../support/errors.ts';
import { lineOfKeys } from '../../yaml/index.ts';
import { idOf } from './refused-fault.ts';

/** Helm asks the server for an object without a name, which refuses: the same failure, with each such object. */
export function withNameless(failure: unknown, manifests: readonly Manifest[]): unknown {
  if (!hasCode(failure, 'ownership-unknown') || failure.details.name !== '') return failure;
  const objectFaults = manifests.filter(hasObject).flatMap(namelessFault);
  if (objectFaults.length === 0) return failure;
  return failure.wrapped({ message: failure.message, details: { objectFaults } });
}

function namelessFault(manifest: Manifest): readonly ObjectFault[] {
  const { object, source, text } = manifest;
  const [first, ...others] = namelessIn(object, []);
  if (first === undefined) return [];
  const isWritten = lineOfKeys(text, [...first, 'metadata', 'name'].map(String)) !== undefined;
  const before = first.map((part) => (typeof part === 'number' ? `[${part}].` : part)).join('');
  return [
    {
      id: idOf(manifest),
      ...placeInChart(source),
      problem: isWritten ? `${before}metadata.name is empty` : `it has no ${before}metadata.name`,
      fields: [first, ...others].map((path) => ({ path: [...path, 'metadata', 'name'] })),
      ...(!isWritten && { fixes: [`add a name below ${before}metadata`] }),
    },
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
