import { compact, type JsonObject } from '../../support/json.ts';
import type { Kind } from '../kinds/kind.ts';
import type { Resource } from '../resource.ts';
import { columnsOf } from './columns.ts';

/** metav1.Table: what `kubectl get` prints. */
export function tableOf(
  kind: Kind,
  objects: readonly Resource[],
  { metadata, includeObject, now }: { metadata: JsonObject; includeObject: string; now: number },
): JsonObject {
  const columns = columnsOf(kind);
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata: compact(metadata),
    columnDefinitions: columns.map(({ name, type, priority }) => ({
      name,
      type,
      format: name === 'Name' ? 'name' : '',
      description: '',
      priority,
    })),
    rows: objects.map((object) => ({
      cells: columns.map((column) => column.cell(object, now)),
      ...(includeObject === 'None' ? {} : { object: includeObject === 'Object' ? object : rowObject(object) }),
    })),
  };
}

const rowObject = (object: Resource): JsonObject => ({
  kind: 'PartialObjectMetadata',
  apiVersion: 'meta.k8s.io/v1',
  metadata: object.metadata,
});
