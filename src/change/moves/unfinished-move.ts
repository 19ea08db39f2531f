import type { Release } from '../../release/types.ts';
import { TshelmError } from '../../support/errors.ts';
import { wordsOfMove } from './moves.ts';

/**
 * Refuses to change a release in the middle of a move: whose its objects are is known only when that has been finished.
 * Errors: `move-unfinished`.
 */
export function refuseUnfinishedMove({ name, version, operation }: Release): void {
  if (operation?.move === undefined) return;
  const words = wordsOfMove(operation.move);
  throw new TshelmError('move-unfinished', {
    message: `a ${operation.move.kind} of release "${name}" was interrupted (revision ${version}); finish it with \`tshelm ${words.join(' ')}\``,
    details: {
      release: name,
      revision: version,
      remedies: [{ kind: 'run', verb: operation.move.kind, arguments: words.slice(1) }],
    },
  });
}
