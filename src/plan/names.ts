import { annotations } from '../manifest/annotations.ts';
import { isWaitedFor } from '../manifest/hook.ts';
import { hookSeconds } from '../manifest/hook-numbers.ts';
import { kindAndName, titleOf } from '../manifest/resource-id.ts';
import type { Hook, Manifest } from '../manifest/types.ts';
import { fileLineText } from '../support/file-line.ts';
import { manifestOfHook } from './arrange.ts';
import type { BatchNode } from './types.ts';

/** `Deployment/web`, as plans, pictures and rehearsals name a resource. */
export const resourceName = ({ object }: Manifest): string => titleOf(object);

/** How long a hook may run; undefined where only `--timeout` says it. */
export interface HookLimit {
  readonly seconds: number;
  /** `order.yaml:3`, or the annotation where the chart declares it. */
  readonly because: string;
}

export function hookLimit(hook: Hook): HookLimit | undefined {
  if (!isWaitedFor(hook)) return undefined;
  const { hookTimeout } = annotations;
  const text = manifestOfHook(hook).object.metadata.annotations?.[hookTimeout];
  const seconds = typeof text === 'string' ? hookSeconds(text) : undefined;
  const place = hook.declaredAt?.[hookTimeout];
  return seconds === undefined ? undefined : { seconds, because: place ? fileLineText(place) : hookTimeout };
}

/** `Job/migrate (at most 90s: order.yaml:3)` */
export function hookTitle(hook: Hook): string {
  const limit = hookLimit(hook);
  return limit === undefined ? kindAndName(hook) : `${kindAndName(hook)} (at most ${limit.seconds}s: ${limit.because})`;
}

export const nodeName = (node: BatchNode): string => (node.kind === 'unit' ? node.unit.name : node.name);

/** `Deployment/web and 2 more` */
export const namesText = ([first = '', ...others]: readonly string[]): string =>
  others.length === 0 ? first : `${first} and ${others.length} more`;
