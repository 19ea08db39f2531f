export type { DenyRule } from './access.ts';
export type { Clock } from './clock.ts';
export { openSandbox, type Sandbox, type SandboxOptions } from './sandbox.ts';
