import type { MoveRecord, Release } from '../../release/types.ts';
import { TshelmError } from '../../support/errors.ts';

/**
 * Refuses to change a release in the middle of a move: whose its objects are is known only when that has been finished.
 * Errors: `move-unfinished`.
 */
export function refuseUnfinishedMove({ name, version, operation }: Release): void {
  if (operation?.move === undefined) return;
  const words = wordsOfMove(operation.move);
  throw new TshelmError('move-unfinished', {
    message: `a ${operation.move.kind} of release "${name}" was interrupted (revision ${version}); run the same command again to finish it`,
    details: {
      release: name,
      revision: version,
      remedies: [{ kind: 'run', verb: operation.move.kind, arguments: words.slice(1) }],
    },
  });
}

/** The command line of a move, as its records name it: what has to be run again after it was interrupted. */
function wordsOfMove({ kind, from, to, objects }: MoveRecord): readonly string[] {
  const { release, namespace } = from ?? to;
  const where = namespace === to.namespace ? [] : ['--to-namespace', to.namespace];
  switch (kind) {
    case 'move':
      return ['move', release, ...objects, '--to', to.release, '-n', namespace, ...where];
    case 'rename':
      return ['rename', release, to.release, '-n', namespace, ...where];
    case 'adopt':
      return ['adopt', release, 'CHART', ...objects, '-n', namespace];
    default:
      return kind satisfies never;
  }
}
