import type { FieldChoices } from '../../execute/apply/by-rules.ts';
import type { Replacement } from '../../execute/apply/replace/replacement.ts';
import type { Adopted } from '../../execute/preview/preview.ts';
import { fieldDifferences } from '../../manifest/field-differences.ts';
import { maskSecrets } from '../../manifest/mask-secrets.ts';
import type { ClusterPlace, HookEvent, KubernetesObject, ResourceId } from '../../manifest/types.ts';
import { withoutServerState } from '../../manifest/without-server-state.ts';
import type { Plan, RevisionOfChart } from '../../plan/types.ts';
import type { ObjectProblem } from '../../problem/problem.ts';
import type { Remedy } from '../../problem/remedy.ts';
import { equalJson } from '../../support/json.ts';
import { compareText } from '../../support/order.ts';
import type { SecretWords } from '../../support/secret-words.ts';
import type { DiffOptions } from '../options/readings.ts';
import { randomFields, withNewValues } from './random-fields.ts';

/** How objects may be shown; `secrets`: what is known to be secret. */
export interface ShownOptions extends DiffOptions {
  readonly secrets?: SecretWords | undefined;
}

/** `kept`: the release would let go of it, and leave it in the cluster. */
export type Change = 'added' | 'changed' | 'removed' | 'kept' | 'unchanged';

/** A random name or token, a time, a generated certificate. */
export interface RandomField {
  readonly path: string;
  /** As it would be. */
  readonly value: unknown;
}

/**
 * What would become of one object; of both states only what is meaningful, and of Secrets what may be shown. What is
 * unchanged has no states, unless fields are random.
 */
export interface ObjectDiff {
  readonly id: ResourceId;
  readonly change: Change;
  /** As it is in the cluster, or for a hook in the record; absent for what is new. */
  readonly before?: KubernetesObject | undefined;
  /** As it would be; absent for what goes. */
  readonly after?: KubernetesObject | undefined;
  /** Of a hook. */
  readonly events?: readonly HookEvent[] | undefined;
  /** Of what is added: the removed object whose place it takes, with which it is compared. */
  readonly insteadOf?: { readonly id: ResourceId; readonly before: KubernetesObject } | undefined;
  /** Of what is removed: what takes its place. */
  readonly succeededBy?: ResourceId | undefined;
  /** Fields that are rendered differently each time and do not count as changes; `before` has their new values. */
  readonly random?: readonly RandomField[] | undefined;
  /** What a reader should know of this object: defaults of the server, fields of other managers. */
  readonly notes: readonly string[];
  /** Why it would be refused. */
  readonly problem?: string | undefined;
  /** The same as facts, with the lines of templates and values; absent where it is not the server that refuses it. */
  readonly problems?: readonly ObjectProblem[] | undefined;
  /** What helps against that. */
  readonly remedies?: readonly Remedy[] | undefined;
  /** What the change does before it may end that. */
  readonly mayComeYet?: true | undefined;
  /** It belongs to another release or to none, and is taken over. */
  readonly adopted?: Adopted | undefined;
  /** It is deleted and created again. */
  readonly replaced?: Replacement | undefined;
  /** The fields that rules leave to others, or take from them. */
  readonly choices?: FieldChoices | undefined;
}

export interface ReleaseDiff {
  readonly action: Plan['action'] | 'compare';
  readonly release: string;
  readonly namespace: string;
  /** Where there are several. */
  readonly cluster?: ClusterPlace | undefined;
  /** undefined for a release that does not exist yet. */
  readonly from?: RevisionOfChart | undefined;
  /** What would be recorded. */
  readonly to: RevisionOfChart;
  /** By namespace, kind and name. */
  readonly objects: readonly ObjectDiff[];
  /** Hooks as they are recorded: they are recreated whenever they run. */
  readonly hooks: readonly ObjectDiff[];
  /** What the plan and the API server warn of. */
  readonly warnings: readonly string[];
  /** Those of the warnings that were reported while the plan was made. */
  readonly reportedWarnings: readonly string[];
}

interface States {
  readonly id: ResourceId;
  readonly before: KubernetesObject | undefined;
  readonly after?: KubernetesObject | undefined;
  /** `after`, rendered once more. */
  readonly again?: KubernetesObject | undefined;
  /** What {@link compareStates} has found of them, where that was done before. */
  readonly compared?: ComparedStates | undefined;
  /** Why the server writes it also where both states are equal. */
  readonly rewrittenFor?: string | undefined;
  readonly keptBy?: string | undefined;
  readonly events?: readonly HookEvent[] | undefined;
  readonly notes?: readonly string[] | undefined;
  readonly problem?: string | undefined;
  readonly problems?: readonly ObjectProblem[] | undefined;
  readonly remedies?: readonly Remedy[] | undefined;
  readonly mayComeYet?: true | undefined;
  readonly adopted?: Adopted | undefined;
  readonly replaced?: Replacement | undefined;
  readonly choices?: FieldChoices | undefined;
}

export function changeOf(
  {
    id,
    keptBy,
    rewrittenFor,
    events,
    notes: given = [],
    problem,
    problems,
    remedies,
    mayComeYet,
    adopted,
    replaced,
    choices,
    compared,
    ...states
  }: States,
  options: ShownOptions,
): ObjectDiff {
  const refused = {
    problem,
    ...(problems && { problems }),
    ...(remedies && { remedies }),
    ...(mayComeYet && { mayComeYet }),
    ...(adopted && { adopted }),
    ...(replaced && { replaced }),
    ...(choices && { choices }),
  };
  const { before, after, change: found, random } = compared ?? compareStates(states, options);
  const isOnlyRewritten = rewrittenFor !== undefined && found === 'unchanged';
  const change = replaced === undefined && !isOnlyRewritten ? found : 'changed';
  const notes = isOnlyRewritten ? [...given, rewrittenFor] : given;
  if (keptBy !== undefined) return { id, change: 'kept', before, events, notes: [...notes, keptBy], ...refused };
  return { id, change, before, after, events, ...(random.length > 0 && { random }), notes, ...refused };
}

export interface ComparedStates extends Pick<ObjectDiff, 'before' | 'after' | 'change'> {
  readonly random: readonly RandomField[];
}

/** Two states as they may be shown, without the differences that are random. */
export function compareStates(
  states: Pick<States, 'before' | 'after' | 'again'>,
  { showSecrets, secrets }: ShownOptions,
): ComparedStates {
  const plain = (object: KubernetesObject | undefined) => object && withoutServerState(object);
  const [before, after, again] = [plain(states.before), plain(states.after), plain(states.again)];
  const change = kindOfChange(before, after);
  // To mask both costs more than all else of the comparison.
  if (change === 'unchanged' && again === undefined) return { change, random: [] };
  const [shownBefore, shownAfter] = showSecrets ? [before, after] : maskSecrets(before, after, secrets);
  const shown = { before: shownBefore, after: shownAfter, change, random: [] };
  if (after === undefined || again === undefined) return shown;
  if (before === undefined || shownBefore === undefined) return { ...shown, random: randomName(after, again) };
  const fields = randomFields(before, after, again);
  const paths = new Set(fields.map(({ path }) => path));
  const shownFields = fieldDifferences(shownBefore, shownAfter).filter(({ path }) => paths.has(path));
  return {
    before: withNewValues(shownBefore, shownFields),
    after: shownAfter,
    change: kindOfChange(withNewValues(before, fields), after),
    random: shownFields.map((field) => ({ path: field.path, value: field.after })),
  };
}

/** All that is random of what is new is new. What a reader looks for is its name. */
const randomName = (after: KubernetesObject, again: KubernetesObject): readonly RandomField[] =>
  after.metadata.name === again.metadata.name ? [] : [{ path: 'metadata.name', value: after.metadata.name }];

function kindOfChange(before: KubernetesObject | undefined, after: KubernetesObject | undefined): Change {
  if (before === undefined) return 'added';
  if (after === undefined) return 'removed';
  return equalJson(before, after) ? 'unchanged' : 'changed';
}

export const sortChanges = (changes: readonly ObjectDiff[]): readonly ObjectDiff[] =>
  [...changes].sort((a, b) => compareText(sortKey(a), sortKey(b)));

const sortKey = ({ id }: ObjectDiff): string => [id.namespace, id.kind, id.name, id.apiVersion].join('\0');

/** Whether the deploy would change anything: objects of its own, or hooks for later. */
export const hasChanges = ({ objects, hooks }: ReleaseDiff): boolean =>
  [...objects, ...hooks].some(({ change }) => change !== 'unchanged');

/** Why, as facts; [] where a refusal has none. */
export function refusedProblems(diff: ReleaseDiff): readonly ObjectProblem[] {
  const refused = refusedDiffs(diff).filter(({ mayComeYet }) => mayComeYet !== true);
  const found = refused.flatMap(({ problems = [] }) => problems);
  return refused.every(({ problems }) => problems !== undefined) ? found : [];
}

/** What the server, or the deploy before it, would refuse. */
export const refusedDiffs = ({ objects, hooks }: ReleaseDiff): readonly ObjectDiff[] =>
  [...objects, ...hooks].filter(({ problem }) => problem !== undefined);
