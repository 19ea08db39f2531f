import { objectSubject } from '../../execute/faults.ts';
import { idOf } from '../../manifest/resource-id.ts';
import type { Manifest } from '../../manifest/types.ts';
import { type Problem, problemOf } from '../../problem/problem.ts';

/** Objects that a release has several times: a problem for each, at the template that made the last one. */
export const duplicateProblems = (twice: readonly (readonly Manifest[])[], namespace: string): readonly Problem[] =>
  twice.map((manifests) => {
    const { object, source } = manifests.at(-1) as Manifest;
    return problemOf({
      subject: objectSubject(idOf(object, namespace), source),
      cause: { code: 'object-duplicate', count: manifests.length },
      places: manifests.slice(0, -1).map((one) => ({ kind: 'template' as const, file: one.source })),
    });
  });
