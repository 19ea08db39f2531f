import type { PodCounts } from '../cluster/diagnosis.ts';
import type { HookEvent, ResourceId } from '../manifest/types.ts';
import type { Plan, Step } from '../plan/types.ts';
import type { SentenceParts } from '../problem/sentence.ts';

/** What an execution reports while it runs. */
export type ExecutionEvent =
  /** One plan after another where an action needs several: a failed upgrade, then the rollback. */
  | { readonly kind: 'plan-started'; readonly plan: Plan }
  /** Of each step that is announced. */
  | { readonly kind: 'step-started'; readonly title: string; readonly step: Step }
  /** A batch of a chart or subchart, or without an order everything at once; `names` are its resources or groups. */
  | {
      readonly kind: 'batch-started';
      readonly unit: string;
      readonly number: number;
      readonly of: number;
      readonly names: readonly string[];
    }
  /** Everything in it is done, and ready or gone where that is waited for. A batch that fails does not finish. */
  | {
      readonly kind: 'batch-finished';
      readonly unit: string;
      readonly number: number;
      readonly of: number;
      readonly elapsedMs: number;
    }
  /** Each time the state or the reason of an object of the release changes. */
  | {
      readonly kind: 'resource';
      readonly id: ResourceId;
      readonly state: ResourceState;
      readonly reason?: string | undefined;
      /** Of `failed`: the time for it was up, and nothing says that it cannot succeed later. */
      readonly isTimeout?: true | undefined;
      /** It is no object of the release, but one that the release needs (docs/ordering.md, 11). */
      readonly isOutside?: true | undefined;
      /** What is in the way, where that is known; the reason begins with it. */
      readonly cause?: string | undefined;
      readonly pods?: PodCounts | undefined;
    }
  /** Each time the state or the reason of a hook changes. */
  | {
      readonly kind: 'hook';
      readonly id: ResourceId;
      readonly event: HookEvent;
      readonly state: HookState;
      readonly reason?: string | undefined;
      readonly pods?: PodCounts | undefined;
    }
  /** With `ordered`. */
  | (UnitState & { readonly kind: 'unit' })
  /** What a pod of a hook wrote, where the hook asks for its log. */
  | { readonly kind: 'log'; readonly id: ResourceId; readonly text: string }
  /** What a pod of an object that is waited for wrote last, while it is waited for; only with the context's `followLogs`. */
  | {
      readonly kind: 'log-tail';
      readonly id: ResourceId;
      readonly of: ResourceId;
      readonly container: string;
      readonly lines: readonly string[];
    }
  /** A line that a container wrote, as it comes; only with the context's `logs`. */
  | {
      readonly kind: 'log-line';
      readonly id: ResourceId;
      readonly of: ResourceId;
      readonly container: string;
      readonly line: string;
    }
  /** A pod wrote more lines than are reported: so many were left out before the line that comes next. */
  | {
      readonly kind: 'log-gap';
      readonly id: ResourceId;
      readonly of: ResourceId;
      readonly container: string;
      readonly omitted: number;
    }
  /** Something that may be wrong. `parts` is the text with the options that it names as data. */
  | { readonly kind: 'warning'; readonly text: string; readonly parts?: SentenceParts | undefined }
  /** Something that the user should know but need not act on. */
  | { readonly kind: 'note'; readonly text: string; readonly parts?: SentenceParts | undefined };

/** How far an ordered run is with a chart or subchart, or with a resource group or weight of it. */
export interface UnitState {
  /** The chart's path: `shop`, `shop/database`. */
  readonly unit: string;
  /** The group's name; absent for the unit itself. */
  readonly node?: string | undefined;
  /** `stopped`: it did nothing wrong, and something else of the release failed. */
  readonly state: 'pending' | 'installing' | 'ready' | 'failed' | 'stopped';
  /** RFC 3339. */
  readonly startedAt?: string | undefined;
  readonly endedAt?: string | undefined;
  readonly reason?: string | undefined;
}

/**
 * Sent: `applying`, then `created`, `configured` or `unchanged`; where it is waited for, `waiting` as often as the reason
 * changes, then `ready`. Deleted: `deleting`, then `deleted`, or `kept`, or `absent` of what was not there. Each of them
 * may become `failed`.
 */
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
  | 'absent'
  | 'failed';
/** `deleted` (an earlier one of that name), `started`, `waiting` as often as the reason changes, `succeeded` or `failed`, `deleted`. */
export type HookState = 'started' | 'waiting' | 'succeeded' | 'failed' | 'deleted';
export type OnEvent = (event: ExecutionEvent) => void;
