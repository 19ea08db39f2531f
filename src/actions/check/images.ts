import type { Target } from '../../execute/apply/targets.ts';
import { fieldPlace, objectSubject } from '../../execute/faults.ts';
import { podSpecPath } from '../../execute/faulty-fields.ts';
import { Reader } from '../../manifest/references.ts';
import { type Problem, problemOf } from '../../problem/problem.ts';

// distribution/reference: a registry, a path, a tag and a digest.
const path = '[a-z0-9]+(?:(?:\\.|__?|-+)[a-z0-9]+)*';
const host = '[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::[0-9]+)?|\\[[0-9a-fA-F:]+\\](?::[0-9]+)?';
const reference = new RegExp(
  `^(?:(?:${host})/)?${path}(?:/${path})*(?::\\w[\\w.-]{0,127})?(?:@[A-Za-z][A-Za-z0-9+._-]*:[0-9a-fA-F]{32,})?$`,
);
const longestTried = 300;

/** Images whose names no kubelet can read, although the API server takes them. */
export const imageProblems = (objects: readonly Target[]): readonly Problem[] =>
  objects.flatMap(({ id, object, source }) => {
    const reader = new Reader(object);
    const containers = ['initContainers', 'containers'].flatMap((list) => reader.items([...podSpecPath(object), list]));
    const images = containers.map((container) => [...container, 'image']);
    return images.flatMap((field): readonly Problem[] => {
      const image = reader.text(field);
      // The API server refuses an empty name and spaces around one.
      if (image !== image.trim() || image === '' || image.length > longestTried || reference.test(image)) return [];
      const subject = objectSubject(id, source);
      const cause = { code: 'image-name-invalid', image, reason: 'InvalidImageName', outlook: 'never' } as const;
      return [problemOf({ subject, cause, places: [fieldPlace(subject, { path: field })] })];
    });
  });
