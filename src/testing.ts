/** tshelm/testing: a Kubernetes API in the process, for tests of charts and of what deploys them. */
import './support/node-version.ts';

export type { KubernetesObject } from './manifest/types.ts';
export type { DenyRule } from './sandbox/index.ts';
export { type ObjectName, type Sandbox, type SandboxOptions, sandbox } from './sdk/sandbox.ts';
