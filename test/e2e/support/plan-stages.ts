import type { Write } from './audit.ts';

/** What `tshelm plan -o json` says of a step. */
export interface PlannedStep {
  readonly kind: string;
  readonly name?: string;
  readonly revision?: number;
  readonly resources?: readonly string[];
  readonly batches?: readonly (readonly (readonly string[])[])[];
  readonly waves?: readonly (readonly string[])[];
  readonly unit?: PlannedUnit;
}

interface PlannedUnit {
  readonly batches: readonly {
    readonly nodes: readonly { readonly resources?: readonly string[]; readonly unit?: PlannedUnit }[];
  }[];
}

/** Objects that go together, as `Kind/name`; nothing of the next stage begins before all of them are answered. */
export interface Stage {
  readonly title: string;
  readonly objects: readonly string[];
  /** By what an object of the stage gets its new state. */
  readonly verbs: readonly Write['verb'][];
}

/** The stages of a plan, in its order, as the API server should see them. Units inside a unit have one batch here. */
export const stagesOf = (steps: readonly PlannedStep[], release: string): readonly Stage[] =>
  steps.flatMap((step) => stepStages(step, release)).filter(({ objects }) => objects.length > 0);

const applied: Stage['verbs'] = ['patch', 'create', 'update'];

function stepStages(step: PlannedStep, release: string): readonly Stage[] {
  switch (step.kind) {
    case 'install-crds':
      return [{ title: 'CRDs', objects: step.resources ?? [], verbs: applied }];
    case 'create-namespace':
      return [{ title: 'namespace', objects: [`Namespace/${step.name}`], verbs: applied }];
    case 'record':
      return [{ title: 'record', objects: [`Secret/sh.helm.release.v1.${release}.v${step.revision}`], verbs: applied }];
    case 'run-hooks':
      return (step.batches ?? []).map((chains) => ({ title: 'hooks', objects: chains.flat(), verbs: applied }));
    case 'apply':
      return unitStages(step, 'apply', applied);
    case 'delete':
      return unitStages(step, 'delete', ['delete']);
    case 'hook-objects':
      return [];
    default:
      throw new Error(`the plan has a step that this test does not know: ${step.kind}`);
  }
}

/** Batch after batch, and in each wave after wave. */
const unitStages = ({ unit, waves = [] }: PlannedStep, title: string, verbs: Stage['verbs']): readonly Stage[] =>
  (unit?.batches ?? []).flatMap(({ nodes }, batch) => {
    const objects = nodes.flatMap((node) => node.resources ?? resourcesOf(node.unit));
    return waves.map((kinds, wave) => ({
      title: `${title}, batch ${batch + 1}, wave ${wave + 1}`,
      objects: objects.filter((object) => kinds.includes(object.split('/')[0] as string)),
      verbs,
    }));
  });

function resourcesOf(unit: PlannedUnit | undefined): readonly string[] {
  const [batch, ...others] = unit?.batches ?? [];
  if (others.length > 0) throw new Error('a unit of several batches inside another runs beside others: no stages');
  return (batch?.nodes ?? []).flatMap((node) => node.resources ?? resourcesOf(node.unit));
}

/**
 * Goes through the writes in the order in which they came, and through the stages beside them. Says where the two part:
 * a write that no stage has, or one that came before the stage before it was answered; and what never came. [] where the
 * API server saw the plan.
 */
export function differences(
  stages: readonly Stage[],
  writes: readonly Write[],
  objectOf: (write: Write) => string,
): readonly string[] {
  const found: string[] = [];
  const missing = stages.map(({ objects }) => new Set(objects));
  const answered = stages.map(() => 0);
  let current = 0;
  for (const write of writes) {
    const object = objectOf(write);
    const at = stages.findIndex(
      ({ objects, verbs }, index) => index >= current && objects.includes(object) && verbs.includes(write.verb),
    );
    // Written once, a record only grows with what happens, beside whatever that is.
    if (at === current && isRecord(object) && missing[at]?.has(object) === false) continue;
    if (at === -1) {
      if (!isKnown(stages, object, current)) found.push(`${write.verb} ${object} is nowhere in the rest of the plan`);
      continue;
    }
    for (let before = current; before < at; before++) {
      for (const late of missing[before] as Set<string>)
        found.push(`${write.verb} ${object} (${stages[at]?.title}) came before ${late} (${stages[before]?.title})`);
      // Definitions begin first, and only what is of their kinds waits for them.
      if (write.at < (answered[before] as number))
        found.push(`${write.verb} ${object} came before all of "${stages[before]?.title}" was answered`);
    }
    current = at;
    if (write.code < 300) missing[at]?.delete(object);
    if (!object.startsWith('CustomResourceDefinition/'))
      answered[at] = Math.max(answered[at] as number, write.answered);
  }
  const never = missing.flatMap((objects, index) =>
    [...objects].map((object) => `${object} (${stages[index]?.title})`),
  );
  return [...found, ...never.map((object) => `${object} never came`)];
}

const isRecord = (object: string): boolean => object.startsWith('Secret/sh.helm.release.v1.');

/** Delete policies touch a hook before and after it runs, and a record grows with what happens. */
const isKnown = (stages: readonly Stage[], object: string, current: number): boolean =>
  isRecord(object) ||
  stages.some(({ title, objects }, index) => title === 'hooks' && index <= current + 1 && objects.includes(object));
