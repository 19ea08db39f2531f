import type { KubernetesObject } from '../../../manifest/types.ts';
import type { Condition } from '../../fields.ts';
import type { Readiness } from '../../types.ts';
import { failedBy, hinderedBy, ready, waiting } from '../words.ts';
import { Status } from './status.ts';

/**
 * How the status of a kind is read. Each text is a test:
 * - `Ready`: this condition is True. `Ready=False`: it is False. `Ready:Broken`: it has this reason.
 * - `.phase=Running|Healthy`: this field of the status has one of these values; `.phase=Running|`: or it is not set.
 *   `.phase`: it is set. `.parts.*.state=Down`: one of the parts. `.spec.paused=true`: a field of the specification.
 * - `.spec.paused=true&.phase=Idle`: both hold.
 */
export interface KindRule {
  /** One holds: it has come to its end, or nothing will report on it. */
  readonly settled?: readonly string[];
  /** One holds: it goes on only when somebody tells it to, so nothing waits for it. */
  readonly paused?: readonly string[];
  /** One holds: it needs a change before it can become ready. */
  readonly failed?: readonly string[];
  /** One holds: it is broken, and may recover by itself. */
  readonly doubtful?: readonly string[];
  /** One holds: it is not ready, whatever else it says. */
  readonly waiting?: readonly string[];
  /** All hold of what is ready. */
  readonly ready?: readonly string[];
  /** One that is ready may have no status. */
  readonly needsNoStatus?: true;
}

/** The rules of a project: by API group (`*.crossplane.io`: all groups below it), then by kind (`*`: all others). */
export type RulesByGroup = Readonly<Record<string, Readonly<Record<string, KindRule | 'never-reports'>>>>;

/** Readiness by a rule. */
export function byRule(rule: KindRule, object: KubernetesObject): Readiness {
  const status = new Status(object);
  const found = (tests: readonly string[] = []) => firstHeld(tests, status);
  if (found(rule.settled) !== undefined) return ready;
  for (const test of rule.paused ?? []) {
    const held = firstHeld([test], status);
    if (held !== undefined) return pausedBy(test, held, status);
  }
  const early = status.isEmpty && rule.needsNoStatus ? ready : unreported(status);
  if (early !== undefined) return early;
  const broken = found(rule.failed);
  // A status that names no generation may be about what was there before.
  if (broken !== undefined && status.isCurrent) return failedBy([status.fact('never', broken)]);
  const doubtful = broken ?? found(rule.doubtful);
  if (doubtful !== undefined) return hinderedBy([status.fact('doubtful', doubtful)], undefined);
  const busy = found(rule.waiting);
  if (busy !== undefined) return hinderedBy([status.fact('open', busy)], undefined);
  const unmet = rule.ready?.find((test) => firstHeld([test], status) === undefined);
  return unmet === undefined ? ready : hinderedBy([status.fact('open', instead(unmet, status))], undefined);
}

/** Ready, with the field or the condition that says that nothing happens. */
function pausedBy(test: string, held: Condition | string, status: Status): Readiness {
  const [name = ''] = test.slice(1).split('=');
  const said =
    typeof held === 'string' ? { field: name, value: status.text(name) } : { value: held.reason || held.type };
  return { state: 'ready', facts: [{ outlook: 'open', code: 'paused', ...said }] };
}

/** Waiting while nothing has reported on the present generation; undefined once something has. */
export function unreported({ isEmpty, isBehind }: Status): Readiness | undefined {
  if (isBehind) return waiting('the controller has not picked up the change yet');
  return isEmpty ? hinderedBy([{ outlook: 'open', code: 'status-missing' }], undefined) : undefined;
}

/** The condition or the word of the first test that holds. */
function firstHeld(tests: readonly string[], status: Status): Condition | string | undefined {
  for (const test of tests) {
    const [first = '', ...others] = test.split('&');
    if (others.some((other) => firstHeld([other], status) === undefined)) continue;
    const [name = '', wanted] = first.split('=');
    const [type = '', reason] = name.split(':');
    if (first.startsWith('.')) {
      const word = heldWord(status.texts(name.slice(1)), wanted?.split('|'));
      if (word !== undefined) return namedWord(name.slice(1), word);
    } else if (reason !== undefined) {
      const condition = status.conditions.find((one) => one.type === type && one.reason === reason);
      if (condition !== undefined) return condition;
    } else if (status.condition(type)?.status === (wanted ?? 'True')) return status.condition(type);
  }
  return undefined;
}

/** The first text that is wanted; any text where none in particular is. */
function heldWord(texts: readonly string[], wanted: readonly string[] | undefined): string | undefined {
  const found = texts.length === 0 && wanted !== undefined ? [''] : texts;
  return found.find((text) => (wanted === undefined ? text !== '' : wanted.includes(text)));
}

/** A word that says something without its field: `Failed`, but `applied is false`. */
const namedWord = (name: string, word: string): string =>
  ['true', 'false'].includes(word) ? `${name} is ${word}` : word;

/** What there is where a test of readiness does not hold. */
function instead(test: string, status: Status): Condition | string {
  const [name = ''] = test.slice(test.startsWith('.') ? 1 : 0).split(/[=:]/);
  return test.startsWith('.')
    ? namedWord(name, status.text(name)) || `no ${name} yet`
    : (status.condition(name) ?? `not ${name} yet`);
}
