import { fieldPlace, objectSubject } from '../../execute/faults.ts';
import { pathText } from '../../manifest/field-path.ts';
import { idOf } from '../../manifest/resource-id.ts';
import type { Manifest } from '../../manifest/types.ts';
import { type Problem, problemOf } from '../../problem/problem.ts';
import { repeatedKeys } from '../../yaml/index.ts';

/** Keys that occur twice in one mapping: Helm sends the last, and the API server never sees what the first one says. */
export const repeatedKeyProblems = (manifests: readonly Manifest[], namespace: string): readonly Problem[] =>
  manifests.flatMap(({ object, source, text, repeatsKeys }) =>
    (repeatsKeys ? repeatedKeys(text) : []).map((path) => {
      const subject = objectSubject(idOf(object, namespace), source);
      const cause = { code: 'key-twice', field: pathText(path) } as const;
      return problemOf({ subject, cause, places: [fieldPlace(subject, { path })] });
    }),
  );
