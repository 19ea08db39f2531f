export type { DenyRule } from './access.ts';
export type { AnnotationRule } from './api/environment.ts';
export type { Clock } from './clock.ts';
export { announcesStatus, type Fate, fates, isFailure } from './fates.ts';
export type { Judgement } from './judge.ts';
export { LocalApi } from './local-api.ts';
export { openSandbox, resetSandbox, type Sandbox, type SandboxOptions } from './sandbox.ts';
