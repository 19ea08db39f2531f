import type { StructRules } from '../struct.ts';
import { certificateStructs } from './certificate.ts';
import { clusterStructs } from './cluster.ts';
import { containerStructs } from './container.ts';
import { dataStructs } from './data.ts';
import { definitionStructs } from './definition.ts';
import { flowStructs } from './flow.ts';
import { networkStructs } from './network.ts';
import { podStructs } from './pod.ts';
import { volumeStructs } from './volume.ts';
import { windowsStructs } from './windows.ts';
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
  ...flowStructs,
  ...certificateStructs,
  ...windowsStructs,
};
