import { annotations } from './annotations.ts';
import type { Head } from './head.ts';
import { hookWeight } from './hook-numbers.ts';
import { trimSpace } from './split.ts';
import type { Hook, HookDeletePolicy, HookEvent, HookOutputLogPolicy } from './types.ts';
import { hookEvents } from './types.ts';

/** Whether the document declares a hook at all; its value may still be one that Helm does not know. */
export const isHook = (head: Head): boolean => head.annotations.has(annotations.hook);

/** Only Pods and Jobs run to an end; any other hook is done once it is loaded. */
export const isWaitedFor = (hook: Pick<Hook, 'kind'>): boolean => hook.kind === 'Pod' || hook.kind === 'Job';

/**
 * The hook that a document declares; undefined where it names an event that Helm does not know, which makes Helm drop
 * the document. With `knowHelm2Events`, `crd-install` and `test-failure` are events too.
 */
export function hookOf(head: Head, path: string, manifest: string, knowHelm2Events = false): Hook | undefined {
  const events = eventsOf(head.annotations.get(annotations.hook) ?? '', knowHelm2Events);
  if (events === undefined) return undefined;
  return {
    name: head.name,
    kind: head.kind,
    path,
    manifest,
    events,
    weight: hookWeight(head.annotations.get(annotations.hookWeight) ?? '') ?? 0,
    deletePolicies: wordsOf(head.annotations.get(annotations.hookDeletePolicy)) as HookDeletePolicy[],
    outputLogPolicies: wordsOf(head.annotations.get(annotations.hookOutputLogPolicy)) as HookOutputLogPolicy[],
    lastRun: { phase: '' },
  };
}

function eventsOf(text: string, knowHelm2Events: boolean): HookEvent[] | undefined {
  const events = wordsOf(text).map((word) => eventOf(word, knowHelm2Events));
  return events.includes(undefined) ? undefined : (events as HookEvent[]);
}

function eventOf(word: string, knowHelm2Events: boolean): HookEvent | undefined {
  if (word === 'test-success') return 'test';
  if (knowHelm2Events && (word === 'crd-install' || word === 'test-failure')) return word;
  return hookEvents.find((event) => event === word);
}

const wordsOf = (text: string | undefined): string[] =>
  text === undefined ? [] : text.split(',').map((word) => trimSpace(word).toLowerCase());
