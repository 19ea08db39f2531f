import { listOf } from '../../../manifest/fields.ts';
import type { WithConditions } from '../../../manifest/kubernetes.ts';
import type { KubernetesObject } from '../../../manifest/types.ts';
import { Quote } from '../../../problem/quote.ts';
import type { Outlook, WorkloadFact } from '../../../problem/workload-fact.ts';
import { isDigits } from '../../../support/text.ts';
import { type Condition, conditionsOf } from '../../fields.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The status of a custom resource: what its conditions say of the present generation, and its other fields. */
export class Status {
  readonly conditions: readonly Condition[];
  readonly isEmpty: boolean;
  /** All conditions are about an older generation. */
  readonly isBehind: boolean;
  /** It names the generation that it is about, or there was only one. */
  readonly isCurrent: boolean;
  readonly #object: KubernetesObject & { readonly status?: Fields | null };

  constructor(object: KubernetesObject) {
    this.#object = object;
    const { generation = 1 } = object.metadata;
    const { status } = object as WithConditions;
    const fields = (status ?? {}) as Fields;
    const all = [fields, ...nestedIn(fields)].flatMap((part) => listOf((part as WithConditions['status'])?.conditions));
    const generations = all.map(({ observedGeneration }) => generationOf(observedGeneration));
    const present = all.filter((_condition, index) => (generations[index] ?? generation) >= generation);
    this.conditions = conditionsOf({ ...object, status: { conditions: present } });
    this.isEmpty = Object.entries(fields).every(([key, value]) => key === 'observedGeneration' && value === 0);
    this.isBehind = all.length > 0 && present.length === 0;
    const named = [generationOf(status?.observedGeneration), ...generations];
    this.isCurrent = generation === 1 || named.some((one) => one === generation);
  }

  /** A field of the status, `health.status`, or of the specification, `spec.paused`; `parts.*.state`: of each part. */
  texts(path: string): readonly string[] {
    const from: unknown = path.startsWith('spec.') ? this.#object : this.#object.status;
    return path
      .split('.')
      .reduce((values, key) => values.flatMap((value) => memberOf(value, key)), [from])
      .map(textOf);
  }

  /** The same of a single field; '' where it is not set. */
  text(path: string): string {
    return this.texts(path)[0] ?? '';
  }

  /** The first condition of a type that is not True; else the one that is. */
  condition(type: string): Condition | undefined {
    const found = this.conditions.filter((one) => one.type === type);
    return found.find(({ status }) => status !== 'True') ?? found[0];
  }

  /** What is wrong, by a condition or by a word like `Degraded`, with the sentence that explains it. */
  fact(outlook: Outlook, of: Condition | string): WorkloadFact {
    if (typeof of !== 'string') {
      const reason = of.reason || (of.status === 'True' ? of.type : `${of.type} is ${of.status}`);
      return { outlook, code: 'condition', reason, words: new Quote(of.message) };
    }
    const unmet = this.conditions.find(({ status, message }) => status === 'False' && message !== '');
    const words = messageFields.map((field) => this.text(field)).find((text) => !['', '{}', of].includes(text));
    return { outlook, code: 'condition', reason: of, words: new Quote(words ?? unmet?.message ?? '') };
  }
}

/** Of a list its items; not JavaScript's words, since an object may have a field `toString`. */
const textOf = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(textOf).join();
  return typeof value === 'object' ? '{}' : String(value);
};

function memberOf(value: unknown, key: string): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  if (key === '*') return Object.values(value);
  const member = (value as Fields)[key];
  return member === undefined || member === null ? [] : [member];
}

const messageFields = [
  'message',
  'reason',
  'error',
  'error.message',
  'errorMessage',
  'failureMessage',
  'health.message',
];

/** Where kinds keep the conditions of their parts: routes, policies, gateways. */
const nestedIn = (status: Fields): readonly object[] => [
  ...['parents', 'ancestors', 'listeners', 'ingress'].flatMap((key) => listOf(status[key] as readonly object[])),
  ...['conditionedStatus', 'conditionStatus'].flatMap((key) => listOf([(status[key] ?? {}) as object])),
];

/** A generation, which some controllers write as a text; a text that is no number is a hash. */
export const generationOf = (value: unknown): number | undefined =>
  typeof value === 'number' || (typeof value === 'string' && isDigits(value)) ? Number(value) : undefined;
