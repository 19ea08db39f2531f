import type { JsonObject } from '../../support/json.ts';
import type { Kind } from '../kinds/kind.ts';
import type { Resource } from '../resource.ts';
import { tableOf } from '../tables/table.ts';
import type { Form } from './negotiate.ts';

/** How answers look in the form that the client asked for. */
export interface Presentation {
  readonly form: Form;
  /** includeObject of a Table: None, Metadata (default), Object. */
  readonly includeObject: string;
  readonly now: number;
}

export function presentObject(kind: Kind, object: Resource, how: Presentation): JsonObject {
  switch (how.form) {
    case 'table':
      return tableOf(kind, [object], { ...how, metadata: { resourceVersion: object.metadata.resourceVersion } });
    case 'metadata':
      return partial(object);
    default:
      return object;
  }
}

export const partial = (object: Resource): JsonObject => ({
  kind: 'PartialObjectMetadata',
  apiVersion: 'meta.k8s.io/v1',
  metadata: object.metadata,
});
