import type { ChartFact } from '../problem/chart-fact.ts';
import { causesOf, unreachable } from '../support/errors.ts';
import { templateFact } from '../template/error.ts';
import { YamlError } from '../yaml/index.ts';

/** What is wrong in the chart, by the word of the template engine or of the YAML reader; undefined where they say no more than a text. */
export function chartFactOf(failure: unknown): ChartFact | undefined {
  const mistake = causesOf(failure).flatMap((cause) => (cause instanceof YamlError ? (cause.mistake ?? []) : []))[0];
  if (mistake !== undefined) return { code: mistake };
  const fact = templateFact(failure);
  switch (fact?.kind) {
    case 'nil-pointer':
      return fact.owner === '' ? undefined : { code: 'owner-null', owner: fact.owner, field: fact.field };
    case 'no-field':
      return fact.owner === '' ? undefined : { code: 'owner-not-a-map', owner: fact.owner, field: fact.field };
    case 'not-iterable':
      return { code: 'range-over-scalar', text: fact.text };
    case 'unknown-template':
      return { code: 'template-unknown', name: fact.name };
    case 'wrong-type':
      return { code: 'argument-type', wanted: fact.wanted, got: fact.got };
    case 'unexpected-end':
      return { code: 'action-not-closed' };
    case 'single-brace':
      return { code: 'brace-missing' };
    case 'unknown-function':
    case 'call-failed':
    case undefined:
      return undefined;
    default:
      return unreachable(fact);
  }
}
