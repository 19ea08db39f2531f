import { annotations } from '../../manifest/annotations.ts';
import type { KubernetesObject } from '../../manifest/types.ts';
import { manifestsOfStep } from '../../plan/arrange.ts';
import type { BatchNode, Plan, Unit } from '../../plan/types.ts';
import type { Workload } from './assumptions.ts';

/** An object that can be made to fail, and its chart or group. */
export interface Candidate extends Workload {
  readonly places: readonly string[];
}

/** What in a plan can be made to fail, with its subcharts and groups. */
export const candidatesOf = ({ steps }: Plan): readonly Candidate[] =>
  steps.flatMap((step): readonly Candidate[] => {
    if (step.kind === 'run-hooks') return manifestsOfStep(step).flatMap(({ object }) => candidate([])(object));
    return step.kind === 'apply' ? ofUnit(step.unit, []) : [];
  });

const ofUnit = ({ batches }: Unit, places: readonly string[]): readonly Candidate[] =>
  batches.flatMap(({ nodes }) => nodes.flatMap((node) => ofNode(node, places)));

function ofNode(node: BatchNode, places: readonly string[]): readonly Candidate[] {
  if (node.kind === 'unit') return ofUnit(node.unit, [...places, node.unit.name]);
  return node.manifests.flatMap(({ object }) => candidate([...places, node.name])(object));
}

const candidate =
  (places: readonly string[]) =>
  (object: KubernetesObject): readonly Candidate[] =>
    canFail(object) ? [{ kind: object.kind, name: object.metadata.name, places }] : [];

const podKinds: ReadonlySet<string> = new Set([
  'DaemonSet',
  'Deployment',
  'Job',
  'Pod',
  'ReplicaSet',
  'ReplicationController',
  'StatefulSet',
]);

/** Whether an object can fail in a sandbox: it has pods, or conditions of its own. */
const canFail = ({ kind, metadata }: KubernetesObject): boolean =>
  podKinds.has(kind) || metadata.annotations?.[annotations.readinessFailure] !== undefined;
