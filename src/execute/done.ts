import type { Hook, HookEvent } from '../manifest/types.ts';
import type { BatchNode } from '../plan/types.ts';

/** What of a plan is finished, by names that the same plan has again when it is carried out another time. */
export interface Progress {
  /** Finished by an earlier run: it is not done again. */
  readonly before: ReadonlySet<string>;
  /** Told of all that this run finishes; of a hook before its success is recorded. */
  readonly onDone: (key: string) => void;
  /** Resolves when what was told is kept, where that is under way. */
  readonly stored: () => Promise<void>;
}

/** With its weight: an object may be a hook of one event twice. */
export const hookKey = (event: HookEvent, { path, kind, name, weight }: Hook): string =>
  `${event} ${path} ${kind}/${name} ${weight}`;

/** `path` is that of the unit: `shop/database`. */
export const nodeKey = (path: string, node: Extract<BatchNode, { kind: 'resources' }>): string =>
  `apply ${path} ${node.id ?? node.name}`;
