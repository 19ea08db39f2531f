/** Kinds whose deletion takes along what cannot be created again. */
export const holdsData = (kind: string): boolean =>
  ['PersistentVolumeClaim', 'PersistentVolume', 'Namespace', 'CustomResourceDefinition'].includes(kind);
