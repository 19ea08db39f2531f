import type { HookEvent, ResourceId } from '../manifest/types.ts';

/** What an execution reports while it runs; only `cli/` turns it into text. */
export type ExecutionEvent =
  | { readonly kind: 'step-started'; readonly title: string }
  | {
      readonly kind: 'batch-started';
      readonly unit: string;
      readonly number: number;
      readonly of: number;
      readonly names: readonly string[];
    }
  | {
      readonly kind: 'batch-finished';
      readonly unit: string;
      readonly number: number;
      readonly of: number;
      readonly elapsedMs: number;
    }
  | {
      readonly kind: 'resource';
      readonly id: ResourceId;
      readonly state: ResourceState;
      readonly reason?: string | undefined;
    }
  | {
      readonly kind: 'hook';
      readonly id: ResourceId;
      readonly event: HookEvent;
      readonly state: HookState;
      readonly reason?: string | undefined;
    }
  | { readonly kind: 'log'; readonly id: ResourceId; readonly text: string }
  | { readonly kind: 'warning'; readonly text: string };

export type ResourceState =
  | 'applying'
  | 'created'
  | 'configured'
  | 'unchanged'
  | 'waiting'
  | 'ready'
  | 'deleting'
  | 'deleted'
  | 'kept'
  | 'failed';
export type HookState = 'started' | 'waiting' | 'succeeded' | 'failed' | 'deleted';
export type OnEvent = (event: ExecutionEvent) => void;
