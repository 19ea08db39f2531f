import type { HookDraw, ItemDraw } from './draw.ts';

// The names of what a drawn chart has. None is the beginning of another, so that a pod's name tells whose it is.

/** Where each kind is served, and as what the audit log knows it. */
export const kinds = {
  ConfigMap: { apiVersion: 'v1', resource: 'configmaps', letter: 'c' },
  Deployment: { apiVersion: 'apps/v1', resource: 'deployments.apps', letter: 'd' },
  StatefulSet: { apiVersion: 'apps/v1', resource: 'statefulsets.apps', letter: 's' },
  Job: { apiVersion: 'batch/v1', resource: 'jobs.batch', letter: 'j' },
  Pod: { apiVersion: 'v1', resource: 'pods', letter: 'p' },
} as const;

export const subchartName = (index: number): string => `s${index}`;

/** Whether something never gets ready; there are no broken ConfigMaps, and a broken StatefulSet cannot be mended. */
export const isBroken = (draw: ItemDraw | HookDraw): boolean =>
  draw.isBroken && draw.kind !== 'ConfigMap' && draw.kind !== 'StatefulSet';

/** `path`: the subcharts' names on the way. A Job's template never changes, so another template is another Job. */
export const nameOfItem = (path: string, index: number, item: ItemDraw): string =>
  `${path}i${index}${kinds[item.kind].letter}${item.kind === 'Job' ? templateOf(item) : ''}`;

const templateOf = (item: ItemDraw): string => `${item.readyMs}x${item.goneMs}${isBroken(item) ? 'f' : ''}`;

export const nameOfHook = (path: string, index: number, { kind }: HookDraw): string =>
  `${path}h${index}${kinds[kind].letter}`;

/** Resource and name as the API server's audit log has them: `deployments.apps/r-s0i1d`. */
export const itemId = (release: string, path: string, index: number, item: ItemDraw): string =>
  `${kinds[item.kind].resource}/${release}-${nameOfItem(path, index, item)}`;

export const hookId = (release: string, path: string, index: number, hook: HookDraw): string =>
  `${kinds[hook.kind].resource}/${release}-${nameOfHook(path, index, hook)}`;
