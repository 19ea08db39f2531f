import type { Remedy } from '../../problem/remedy.ts';
import type { MoveRecord, Release } from '../../release/types.ts';
import { TshelmError } from '../../support/errors.ts';

/**
 * Refuses to change a release in the middle of a move: whose its objects are is known only when that has been finished.
 * Errors: `move-unfinished`.
 */
export function refuseUnfinishedMove({ name, version, operation }: Release): void {
  if (operation?.move === undefined) return;
  throw new TshelmError('move-unfinished', {
    message: `${nouns[operation.move.kind]} of release "${name}" was interrupted (revision ${version}); finish it first`,
    details: {
      release: name,
      revision: version,
      remedies: [finishing(operation.move)],
    },
  });
}

const nouns = { move: 'a move', rename: 'a rename', adopt: 'an adoption' } as const;

/** The same command again finishes a move. */
export const finishing = (move: MoveRecord): Remedy => ({ kind: 'run', verb: move.kind, ...wordsOfMove(move) });

/** The arguments of a move, as its records name it: what has to be run again after it was interrupted. */
export function wordsOfMove({ kind, from, to, objects }: MoveRecord): {
  readonly arguments: readonly string[];
  readonly namespace: string;
} {
  const { release, namespace } = from ?? to;
  const where = namespace === to.namespace ? [] : ['--to-namespace', to.namespace];
  switch (kind) {
    case 'move':
      return { arguments: [release, ...objects, '--to', to.release, ...where], namespace };
    case 'rename':
      return { arguments: [release, to.release, ...where], namespace };
    case 'adopt':
      return { arguments: [release, 'CHART', ...objects], namespace };
    default:
      return kind satisfies never;
  }
}
