import { GoError, GoInt, type GoMap } from '../../go/value.ts';
import type { Assertion, Judge, Trial } from './assertion.ts';
import { containsDocument, hasDocuments, isMember } from './documents.ts';
import { passed } from './each.ts';
import { equal, equalRaw } from './equality.ts';
import { failedTemplate } from './failed-template.ts';
import { contains, lengthEqual, subset } from './lists.ts';
import { ordered } from './order.ts';
import { Parameters } from './parameters.ts';
import { exists, isNullOrEmpty, isType } from './presence.ts';
import { matchSnapshot, matchSnapshotRaw } from './snapshots.ts';
import { matchRegex, matchRegexRaw } from './texts.ts';
import { becomesReady, passesCheck, readyBefore } from './whole-chart.ts';

type ReadJudge = (parameters: Parameters) => Judge;

/** Each assertion with the name of its opposite, where it has one. */
const pairs: readonly (readonly [name: string, opposite: string | undefined, read: ReadJudge])[] = [
  ['matchSnapshot', undefined, matchSnapshot],
  ['matchSnapshotRaw', undefined, matchSnapshotRaw],
  ['equal', 'notEqual', equal],
  ['greaterOrEqual', 'notGreaterOrEqual', ordered('greater')],
  ['lessOrEqual', 'notLessOrEqual', ordered('less')],
  ['equalRaw', 'notEqualRaw', equalRaw],
  ['exists', 'notExists', exists],
  ['isNotNull', 'isNull', exists],
  ['matchRegex', 'notMatchRegex', matchRegex],
  ['matchRegexRaw', 'notMatchRegexRaw', matchRegexRaw],
  ['contains', 'notContains', contains],
  ['isKind', undefined, isMember('kind')],
  ['isAPIVersion', undefined, isMember('apiVersion')],
  ['hasDocuments', undefined, hasDocuments],
  ['isSubset', 'isNotSubset', subset],
  ['isNullOrEmpty', 'isNotNullOrEmpty', isNullOrEmpty],
  ['isEmpty', 'isNotEmpty', isNullOrEmpty],
  ['failedTemplate', 'notFailedTemplate', failedTemplate],
  ['containsDocument', undefined, containsDocument],
  ['lengthEqual', 'notLengthEqual', lengthEqual],
  ['isType', 'isNotType', isType],
];

/** tshelm's own, about the whole chart. */
const trials: ReadonlyMap<string, (parameters: Parameters) => Trial> = new Map([
  ['passesCheck', passesCheck],
  ['becomesReady', becomesReady],
  ['readyBefore', readyBefore],
]);

interface Known {
  readonly read: ReadJudge;
  readonly isAntonym: boolean;
}

const assertions: ReadonlyMap<string, Known> = new Map(
  pairs.flatMap(([name, opposite, read]): [string, Known][] => [
    [name, { read, isAntonym: false }],
    ...(opposite === undefined ? [] : [[opposite, { read, isAntonym: true }] as [string, Known]]),
  ]),
);

/** The members of an assertion that are not its name. */
const settings = new Set(['template', 'documentIndex', 'not']);

/** Reads an assertion of a test. Throws GoError. */
export function readAssertion(given: GoMap): Assertion {
  const index = given.get('documentIndex');
  const template = given.get('template');
  const common = {
    documentIndex: index instanceof GoInt ? Number(index.value) : undefined,
    not: given.get('not') === true,
    template: typeof template === 'string' ? template : '',
    documentSelector: selectorOf(given),
  };
  const types = [...assertions.keys(), ...trials.keys()].filter((name) => given.has(name));
  const [type, another] = types;
  if (type === undefined) throw noType(given);
  if (another !== undefined) throw new GoError(`assertion type \`${type}\` and \`${another}\` is declared duplicately`);
  const parameters = new Parameters(type, given.get(type));
  const trial = trials.get(type)?.(parameters);
  if (trial !== undefined) return { ...common, type, isAntonym: false, needsRender: true, judge: () => passed, trial };
  const { read, isAntonym } = assertions.get(type) as Known;
  return {
    ...common,
    type,
    isAntonym,
    needsRender: type !== 'failedTemplate',
    judge: read(parameters),
  };
}

function selectorOf(given: GoMap): Assertion['documentSelector'] {
  const selector = given.get('documentSelector');
  if (!(selector instanceof Map)) return undefined;
  const path = selector.get('path');
  if (typeof path !== 'string') throw new GoError("empty 'documentSelector.path' not supported");
  return {
    path,
    value: selector.get('value') ?? null,
    matchMany: selector.get('matchMany') === true,
    skipEmptyTemplates: selector.get('skipEmptyTemplates') === true,
  };
}

function noType(given: GoMap): GoError {
  const unknown = [...given.keys()].find((key) => !settings.has(key));
  return new GoError(unknown === undefined ? 'no assertion type defined' : `Assertion type \`${unknown}\` is invalid`);
}
