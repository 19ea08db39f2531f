import { equals } from './equality.ts';
import type { Library } from './library.ts';

/** `sets.contains(…)` */
class SetFunctions {}

const containsAll = (list: readonly unknown[], sought: readonly unknown[]): boolean =>
  sought.every((item) => list.some((one) => equals(one, item)));

export const sets: Library = {
  namespaces: { sets: { SetFunctions } },
  functions: {
    'SetFunctions.contains(list, list): bool': (_namespace: SetFunctions, list: unknown[], sought: unknown[]) =>
      containsAll(list, sought),
    'SetFunctions.equivalent(list, list): bool': (_namespace: SetFunctions, a: unknown[], b: unknown[]) =>
      containsAll(a, b) && containsAll(b, a),
    'SetFunctions.intersects(list, list): bool': (_namespace: SetFunctions, a: unknown[], b: unknown[]) =>
      a.some((item) => b.some((one) => equals(one, item))),
  },
};
