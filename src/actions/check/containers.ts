import type { Target } from '../../execute/apply/targets.ts';
import { fieldPlace, objectSubject } from '../../execute/faults.ts';
import { podSpecPath } from '../../execute/faulty-fields.ts';
import { quantityOf } from '../../go/quantity.ts';
import { type FieldPath, pathText } from '../../manifest/field-path.ts';
import { Reader } from '../../manifest/references.ts';
import type { Fact } from '../../problem/fact.ts';
import { type Problem, problemOf } from '../../problem/problem.ts';
import { refusalRemedies } from '../../problem/refusal-fact.ts';
import { isImageName } from '../../source/oci/reference.ts';

interface Fault {
  readonly cause: Fact;
  readonly path: FieldPath;
}

/** What the API server takes of a container, and what no kubelet can start. */
export const containerProblems = (objects: readonly Target[]): readonly Problem[] =>
  objects.flatMap(({ id, object, source }) => {
    const reader = new Reader(object);
    const containers = ['initContainers', 'containers'].flatMap((list) => reader.items([...podSpecPath(object), list]));
    const faults = containers.flatMap((container) => [
      ...imageFaults(reader, [...container, 'image']),
      ...['limits', 'requests'].flatMap((each) => memoryFaults(reader, [...container, 'resources', each, 'memory'])),
    ]);
    const subject = objectSubject(id, source);
    return faults.map(({ cause, path }) => {
      const remedies = cause.code === 'memory-too-small' ? refusalRemedies(cause, { id, object, path }) : [];
      return problemOf({ subject, cause, places: [fieldPlace(subject, { path })], remedies });
    });
  });

const longestTried = 300;

/** A name that no kubelet can read. */
function imageFaults(reader: Reader, path: FieldPath): readonly Fault[] {
  const image = reader.text(path);
  // The API server refuses an empty name and spaces around one.
  if (image !== image.trim() || image === '' || image.length > longestTried || isImageName(image)) return [];
  return [{ cause: { code: 'image-name-invalid', image, reason: 'InvalidImageName', outlook: 'never' }, path }];
}

/** A number of bytes where megabytes were meant. */
function memoryFaults(reader: Reader, path: FieldPath): readonly Fault[] {
  const value = reader.text(path);
  const amount = /^[\d.]+m?$/.test(value) ? (quantityOf(value) ?? 0) : 0;
  return amount > 0 && amount < 2 ** 20
    ? [{ cause: { code: 'memory-too-small', field: pathText(path), value }, path }]
    : [];
}
