import type { JsonObject } from '../../support/json.ts';
import type { Node } from '../kubernetes.ts';
import { timestamp } from '../resource.ts';
import type { Environment } from './environment.ts';
import { uidFrom } from './ids.ts';

/** Marks the nodes that the sandbox makes by itself. */
const made = 'sandbox.tshelm.dev/made';

export const isMadeNode = ({ metadata }: Node): boolean => metadata.annotations?.[made] !== undefined;

/** As many nodes the sandbox makes by itself. */
export const mostNodes = 20;

/** What a node has where nobody says otherwise. */
const defaultCapacity = { cpu: '16', memory: '64Gi', 'ephemeral-storage': '500Gi', pods: '10k' };

const machine = {
  architecture: 'amd64',
  bootID: '',
  containerRuntimeVersion: 'sandbox://1',
  kernelVersion: '',
  kubeProxyVersion: '',
  machineID: '',
  operatingSystem: 'linux',
  osImage: 'sandbox',
  systemUUID: '',
};

/** `node-1`, `node-2`, … each in a zone of its own, with the labels that every kubelet gives. */
export function newNode(environment: Environment, number: number): Node {
  const name = `node-${number}`;
  const now = timestamp(environment.clock.now());
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      uid: uidFrom(`/nodes//${name}`),
      creationTimestamp: now,
      annotations: { [made]: 'true' },
      labels: {
        'beta.kubernetes.io/arch': 'amd64',
        'beta.kubernetes.io/os': 'linux',
        'kubernetes.io/arch': 'amd64',
        'kubernetes.io/hostname': name,
        'kubernetes.io/os': 'linux',
        'topology.kubernetes.io/region': 'region-1',
        'topology.kubernetes.io/zone': `zone-${number}`,
      },
    },
    spec: {},
    status: nodeStatus({ addresses: [{ type: 'InternalIP', address: `10.0.0.${number}` }] }, environment),
  };
}

/** What a kubelet would report of a node, where the node's status does not say it. */
export function nodeStatus(given: JsonObject | undefined, { clock, kinds }: Environment): JsonObject {
  const now = timestamp(clock.now());
  const ready = {
    type: 'Ready',
    status: 'True',
    reason: 'KubeletReady',
    message: 'the sandbox is posting ready status',
    lastHeartbeatTime: now,
    lastTransitionTime: now,
  };
  const capacity = given?.capacity ?? given?.allocatable ?? defaultCapacity;
  const nodeInfo = { ...machine, kubeletVersion: kinds.gitVersion };
  return { capacity, allocatable: capacity, conditions: [ready], nodeInfo, ...given };
}
