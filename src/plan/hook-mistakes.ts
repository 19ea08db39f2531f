import type { Chart } from '../chart/types.ts';
import { annotations } from '../manifest/annotations.ts';
import { hookDeleteSeconds, hookSeconds, hookWeight } from '../manifest/hook-numbers.ts';
import { hookEvents, type KubernetesObject } from '../manifest/types.ts';
import type { OrderFact } from '../problem/order-fact.ts';
import { isNear } from '../support/near.ts';
import { isDigits, isInteger } from '../support/text.ts';
import { keyLine } from './key-line.ts';
import { type OrderProblem, orderProblem } from './problems.ts';

const {
  hook,
  hookWeight: weightKey,
  hookDeletePolicy,
  hookOutputLogPolicy,
  hookDeleteTimeout,
  hookTimeout,
} = annotations;

const wordsOf: Readonly<Record<string, readonly string[]>> = {
  [hook]: [...hookEvents, 'test-success', 'test-failure', 'crd-install'],
  [hookDeletePolicy]: ['before-hook-creation', 'hook-succeeded', 'hook-failed'],
  [hookOutputLogPolicy]: ['hook-succeeded', 'hook-failed'],
};

/** What is wrong with a hook's annotations (docs/ordering.md, 6): Helm passes over all of it without a word. */
export function hookProblems(
  chart: Chart,
  { kind, metadata }: KubernetesObject,
  path: string,
): readonly OrderProblem[] {
  const given: Readonly<Record<string, unknown>> = metadata.annotations ?? {};
  const resource = `${kind}/${metadata.name}`;
  return [hook, weightKey, hookDeletePolicy, hookOutputLogPolicy, hookDeleteTimeout, hookTimeout].flatMap((key) => {
    if (given[key] === undefined) return [];
    const mistakes = mistakesOf(resource, key, String(given[key] ?? ''));
    const line = mistakes.length === 0 ? undefined : keyLine(chart, path, key, { kind, name: metadata.name });
    return mistakes.map((mistake) => orderProblem(mistake, { file: path, line }));
  });
}

function mistakesOf(resource: string, key: string, value: string): readonly OrderFact[] {
  const code = 'hook-number-invalid';
  if (key === weightKey) {
    if (value === '' || hookWeight(value) !== undefined) return [];
    return [{ code, resource, key, value, why: isInteger(value) ? 'too-large' : 'not-whole', countsAs: 0 }];
  }
  if (key === hookTimeout)
    return hookSeconds(value) === undefined ? [{ code, resource, key, value, why: whyNoSeconds(value) }] : [];
  if (key !== hookDeleteTimeout) return unknownWords(resource, key, value);
  return hookDeleteSeconds(value) === undefined
    ? [{ code, resource, key, value, why: whyNoSeconds(value), countsAs: 60 }]
    : [];
}

function whyNoSeconds(value: string): 'not-seconds' | 'zero' | 'too-large' {
  if (!isDigits(value)) return 'not-seconds';
  return Number(value) === 0 ? 'zero' : 'too-large';
}

function unknownWords(resource: string, key: string, text: string): readonly OrderFact[] {
  const known = wordsOf[key] ?? [];
  return text
    .split(',')
    .map((word) => word.trim().toLowerCase())
    .filter((word) => !known.includes(word))
    .map((word) => {
      const meant = known.find((one) => isNear(one, word));
      return { code: 'hook-word-unknown', resource, key, word, known, meant, isEvent: key === hook };
    });
}
