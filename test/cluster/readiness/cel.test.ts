import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CelError, celFields, compileCel } from '../../../src/cluster/readiness/cel.ts';
import type { KubernetesObject } from '../../../src/manifest/types.ts';

/** What cel-go answers in Flux's environment (test/e2e/go-cel/refresh.sh). */
interface Answers {
  readonly objects: Readonly<Record<string, KubernetesObject>>;
  readonly cases: readonly {
    readonly expression: string;
    readonly object: string;
    readonly answer: boolean | 'error' | 'invalid';
  }[];
}
const { objects, cases }: Answers = JSON.parse(readFileSync('fixtures/cel/expected.json', 'utf8'));

/** What is refused when the file is read, although cel-go would try it: a misspelled field. */
const refused: ReadonlySet<string> = new Set(["stauts.phase == 'Up'"]);

function answerTo(expression: string, object: string): boolean | 'error' | 'invalid' {
  let isTrue: ReturnType<typeof compileCel>;
  try {
    isTrue = compileCel(expression);
  } catch (error) {
    if (error instanceof CelError) return 'invalid';
    throw error;
  }
  try {
    return isTrue(celFields(objects[object] as KubernetesObject));
  } catch (error) {
    if (error instanceof CelError) return 'error';
    throw error;
  }
}

test.each(cases)('$expression of $object: $answer', ({ expression, object, answer }) => {
  expect(answerTo(expression, object)).toBe(refused.has(expression) ? 'invalid' : answer);
});
