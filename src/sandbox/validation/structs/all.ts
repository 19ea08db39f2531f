import type { StructRules } from '../struct.ts';
import { clusterStructs } from './cluster.ts';
import { containerStructs } from './container.ts';
import { dataStructs } from './data.ts';
import { definitionStructs } from './definition.ts';
import { networkStructs } from './network.ts';
import { podStructs } from './pod.ts';
import { volumeStructs } from './volume.ts';
import { workloadStructs } from './workload.ts';

/** The rules of Kubernetes' structs by their Go names. */
export const structRules: Readonly<Record<string, StructRules>> = {
  ...containerStructs,
  ...volumeStructs,
  ...podStructs,
  ...workloadStructs,
  ...networkStructs,
  ...dataStructs,
  ...clusterStructs,
  ...definitionStructs,
};
