import { parseManifest } from '../../manifest/parse.ts';
import type { Hook, Manifest } from '../../manifest/types.ts';
import type { Batch, BatchNode, Plan, Step, StepOf, Unit } from '../../plan/types.ts';
import { unreachable } from '../../support/errors.ts';

/** A text that a plan sends. */
export interface PlanText {
  readonly source: string;
  readonly text: string;
}

/** The number of a text in the list of all. */
type Place = number;

/** A plan as JSON: a number of a text stands for each text. Two plans that do the same are written the same. */
export interface WrittenSteps extends Omit<Plan, 'steps' | 'warnings' | 'hazards'> {
  readonly steps: readonly WrittenStep[];
}

type WrittenStep =
  | (Omit<StepOf<'install-crds'>, 'manifests' | 'existing'> & {
      readonly manifests: readonly Place[];
      readonly existing?: readonly string[] | undefined;
    })
  | (Omit<StepOf<'run-hooks'>, 'batches'> & { readonly batches: readonly (readonly (readonly WrittenHook[])[])[] })
  | (Omit<StepOf<'apply'>, 'unit'> & { readonly unit: WrittenUnit })
  | (Omit<StepOf<'delete'>, 'unit'> & { readonly unit: WrittenUnit })
  | (Omit<StepOf<'hook-objects'>, 'hooks'> & { readonly hooks: readonly WrittenHook[] })
  | StepOf<'create-namespace'>
  | StepOf<'record'>;

type WrittenHook = Omit<Hook, 'manifest' | 'path' | 'lastRun'> & { readonly text: Place };

interface WrittenUnit {
  readonly name: string;
  readonly batches: readonly (Omit<Batch, 'nodes'> & { readonly nodes: readonly WrittenNode[] })[];
}

type NodeOf<Kind extends BatchNode['kind']> = Extract<BatchNode, { readonly kind: Kind }>;
type WrittenNode =
  | (Omit<NodeOf<'unit'>, 'unit'> & { readonly unit: WrittenUnit })
  | (Omit<NodeOf<'resources'>, 'manifests'> & { readonly manifests: readonly Place[] });

/** A plan as JSON, and the texts in it, each once. */
export function writePlan(plan: Plan): { readonly steps: WrittenSteps; readonly texts: readonly PlanText[] } {
  const texts = new Texts();
  const { action, release, namespace, strategy, ifStopped } = plan;
  const steps = plan.steps.map((step) => writeStep(step, texts));
  const written: WrittenSteps = { action, release, namespace, strategy, steps, ifStopped };
  // What is undefined is not there once a file gives it back.
  return { steps: JSON.parse(JSON.stringify(written)) as WrittenSteps, texts: texts.all };
}

class Texts {
  readonly #places = new Map<string, Place>();
  readonly #texts: PlanText[] = [];

  get all(): readonly PlanText[] {
    return this.#texts;
  }

  place(source: string, text: string): Place {
    const key = `${source}\n${text}`;
    const known = this.#places.get(key);
    if (known !== undefined) return known;
    const place = this.#texts.push({ source, text }) - 1;
    this.#places.set(key, place);
    return place;
  }
}

function writeStep(step: Step, texts: Texts): WrittenStep {
  const manifest = ({ source, text }: Manifest): Place => texts.place(source, text);
  const hook = ({ manifest: text, path, lastRun: _lastRun, ...others }: Hook): WrittenHook => ({
    ...others,
    text: texts.place(path, text),
  });
  const unit = ({ name, batches }: Unit): WrittenUnit => ({
    name,
    batches: batches.map(({ wait, nodes }) => ({ wait, nodes: nodes.map(node) })),
  });
  const node = (one: BatchNode): WrittenNode =>
    one.kind === 'unit' ? { ...one, unit: unit(one.unit) } : { ...one, manifests: one.manifests.map(manifest) };
  switch (step.kind) {
    case 'install-crds':
      return { ...step, manifests: step.manifests.map(manifest), existing: step.existing && [...step.existing].sort() };
    case 'run-hooks':
      return { ...step, batches: step.batches.map((batch) => batch.map((chain) => chain.map(hook))) };
    case 'apply':
    case 'delete':
      return { ...step, unit: unit(step.unit) };
    case 'hook-objects':
      return { ...step, hooks: step.hooks.map(hook) };
    case 'create-namespace':
    case 'record':
      return step;
    default:
      return unreachable(step);
  }
}

/** The plan again, to be shown: its objects are those of the texts. */
export function readPlan(written: WrittenSteps, texts: readonly PlanText[], warnings: readonly string[]): Plan {
  const textAt = (place: Place): PlanText => texts[place] ?? { source: '', text: '' };
  return { ...written, steps: written.steps.map((step) => readStep(step, textAt)), warnings, hazards: [] };
}

function readStep(step: WrittenStep, textAt: (place: Place) => PlanText): Step {
  const manifest = (place: Place): Manifest => parseManifest(textAt(place).text, textAt(place).source);
  const hook = ({ text, ...others }: WrittenHook): Hook => ({
    ...others,
    path: textAt(text).source,
    manifest: textAt(text).text,
    lastRun: { phase: '' },
  });
  const unit = ({ name, batches }: WrittenUnit): Unit => ({
    name,
    batches: batches.map(({ wait, nodes }) => ({ wait, nodes: nodes.map(node) })),
  });
  const node = (one: WrittenNode): BatchNode =>
    one.kind === 'unit' ? { ...one, unit: unit(one.unit) } : { ...one, manifests: one.manifests.map(manifest) };
  switch (step.kind) {
    case 'install-crds':
      return { ...step, manifests: step.manifests.map(manifest), existing: step.existing && new Set(step.existing) };
    case 'run-hooks':
      return { ...step, batches: step.batches.map((batch) => batch.map((chain) => chain.map(hook))) };
    case 'apply':
    case 'delete':
      return { ...step, unit: unit(step.unit) };
    case 'hook-objects':
      return { ...step, hooks: step.hooks.map(hook) };
    case 'create-namespace':
    case 'record':
      return step;
    default:
      return unreachable(step);
  }
}
