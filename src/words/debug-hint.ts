import { addedDetail, hasCode, TshelmError } from '../support/errors.ts';

/** A failure after the render began comes with the advice to look at what there is. */
export function withDebugHint(thrown: unknown, isDebug: boolean): unknown {
  if (isDebug || !(thrown instanceof TshelmError) || addedDetail(thrown, 'rendered') === undefined) return thrown;
  if (hasCode(thrown, 'bad-flag')) return thrown;
  return thrown.wrapped({ message: `${thrown.message}\n\nUse --debug flag to render out invalid YAML` });
}
