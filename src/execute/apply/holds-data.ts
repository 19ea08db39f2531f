import { typeOfAnyVersion } from '../../kinds/field-types.ts';
import { groupOf } from '../../manifest/resource-id.ts';
import type { ResourceId } from '../../manifest/types.ts';

/** Kinds whose deletion takes along what cannot be created again. */
export const holdsData = (kind: string): boolean =>
  ['PersistentVolumeClaim', 'PersistentVolume', 'Namespace', 'CustomResourceDefinition'].includes(kind);

/** Whether Kubernetes itself has the kind: an operator may delete data with one of its own. */
export const isBuiltIn = ({ apiVersion, kind }: Pick<ResourceId, 'apiVersion' | 'kind'>): boolean =>
  typeOfAnyVersion(groupOf(apiVersion), kind) !== undefined;
