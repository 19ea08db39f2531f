import type { Fault, PassedRequest, Script } from './proxy.ts';

/**
 * The fault at each request whose number has the remainder `first` by `every`, so that runs from 0 to `every` - 1 meet
 * every request once. A repetition of a request that was hit passes and is not counted.
 */
export const everyNth = (fault: Fault, first: number, every: number) => (): Script => {
  const repetitionsDue = new Map<string, number>();
  let counted = 0;
  return (request) => {
    const key = keyOf(request);
    const due = repetitionsDue.get(key) ?? 0;
    if (due > 0) {
      repetitionsDue.set(key, due - 1);
      return undefined;
    }
    const isHit = counted % every === first;
    counted += 1;
    if (isHit && fault.kind !== 'stall') repetitionsDue.set(key, 1);
    return isHit ? fault : undefined;
  };
};

const drops: readonly Fault[] = [{ kind: 'break-off' }, { kind: 'watch-gone' }, { kind: 'reset' }];

/** The first `times` watches of each kind end: after half an event, with 410 Gone, or before they begin. */
export const dropEachWatch = (times: number) => (): Script => {
  const dropped = new Map<string, number>();
  return (request) => {
    if (!request.isWatch) return undefined;
    const key = keyOf(request);
    const count = dropped.get(key) ?? 0;
    dropped.set(key, count + 1);
    return count < times ? drops[(count + times) % drops.length] : undefined;
  };
};

const keyOf = ({ method, path, isWatch }: PassedRequest): string => `${method} ${path} ${isWatch}`;
