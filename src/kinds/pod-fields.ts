// What the downward API tells of a pod. pkg/apis/core/validation: validateObjectFieldSelector

/** To a variable. */
export const variableFields = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
];

/** Fields that a downward API volume may expose. */
export const fileFields = [
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
];

export const podFields: readonly string[] = [...new Set([...variableFields, ...fileFields])];
