import { parseManifest } from '../manifest/parse.ts';
import type { Hook, Manifest } from '../manifest/types.ts';
import type { Batch, BatchNode, Plan, Step, StepOf } from '../plan/types.ts';
import { unreachable } from '../support/errors.ts';

/** A text that a plan sends. */
export interface PlanText {
  readonly source: string;
  readonly text: string;
}

/** The number of a text in the list of all. */
type Place = number;

/** A plan as JSON: a number of a text stands for each text. Two plans that do the same are written the same. */
export interface WrittenSteps extends Omit<Plan, 'steps' | 'warnings' | 'hazards'> {
  readonly steps: readonly StepWith<Written>[];
}

/** What a step holds in its places: objects and hooks themselves, or what stands for them in a file. */
interface Content {
  readonly manifest: unknown;
  readonly hook: unknown;
  readonly existing: unknown;
}

interface Real extends Content {
  readonly manifest: Manifest;
  readonly hook: Hook;
  readonly existing: ReadonlySet<string>;
}

interface Written extends Content {
  readonly manifest: Place;
  readonly hook: Omit<Hook, 'manifest' | 'path' | 'lastRun'> & { readonly text: Place };
  readonly existing: readonly string[];
}

type StepWith<C extends Content> =
  | (Omit<StepOf<'install-crds'>, 'manifests' | 'existing'> & {
      readonly manifests: readonly C['manifest'][];
      readonly existing?: C['existing'] | undefined;
    })
  | (Omit<StepOf<'run-hooks'>, 'batches'> & { readonly batches: readonly (readonly (readonly C['hook'][])[])[] })
  | (Omit<StepOf<'apply'>, 'unit'> & { readonly unit: UnitWith<C> })
  | (Omit<StepOf<'delete'>, 'unit'> & { readonly unit: UnitWith<C> })
  | (Omit<StepOf<'hook-objects'>, 'hooks'> & { readonly hooks: readonly C['hook'][] })
  | StepOf<'create-namespace'>
  | StepOf<'record'>
  | StepOf<'await-needs'>;

interface UnitWith<C extends Content> {
  readonly name: string;
  readonly batches: readonly (Omit<Batch, 'nodes'> & { readonly nodes: readonly NodeWith<C>[] })[];
}

type NodeOf<Kind extends BatchNode['kind']> = Extract<BatchNode, { readonly kind: Kind }>;
type NodeWith<C extends Content> =
  | (Omit<NodeOf<'unit'>, 'unit'> & { readonly unit: UnitWith<C> })
  | (Omit<NodeOf<'resources'>, 'manifests'> & { readonly manifests: readonly C['manifest'][] });

type Exchange<From extends Content, To extends Content> = {
  readonly [Part in keyof Content]: (part: From[Part]) => To[Part];
};

/** The same step with other content. */
function exchanged<From extends Content, To extends Content>(
  step: StepWith<From>,
  { manifest, hook, existing }: Exchange<From, To>,
): StepWith<To> {
  const unit = ({ name, batches }: UnitWith<From>): UnitWith<To> => ({
    name,
    batches: batches.map(({ wait, nodes }) => ({ wait, nodes: nodes.map(node) })),
  });
  const node = (one: NodeWith<From>): NodeWith<To> =>
    one.kind === 'unit' ? { ...one, unit: unit(one.unit) } : { ...one, manifests: one.manifests.map(manifest) };
  switch (step.kind) {
    case 'install-crds':
      return {
        ...step,
        manifests: step.manifests.map(manifest),
        existing: step.existing === undefined ? undefined : existing(step.existing),
      };
    case 'run-hooks':
      return { ...step, batches: step.batches.map((batch) => batch.map((chain) => chain.map(hook))) };
    case 'apply':
    case 'delete':
      return { ...step, unit: unit(step.unit) };
    case 'hook-objects':
      return { ...step, hooks: step.hooks.map(hook) };
    case 'create-namespace':
    case 'record':
    case 'await-needs':
      return step;
    default:
      return unreachable(step);
  }
}

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

const writeStep = (step: Step, texts: Texts): StepWith<Written> =>
  exchanged<Real, Written>(step, {
    manifest: ({ source, text }) => texts.place(source, text),
    hook: ({ manifest, path, lastRun: _lastRun, ...others }) => ({ ...others, text: texts.place(path, manifest) }),
    existing: (keys) => [...keys].sort(),
  });

/** The plan again, to be shown: its objects are those of the texts. */
export function readPlan(written: WrittenSteps, texts: readonly PlanText[], warnings: readonly string[]): Plan {
  const textAt = (place: Place): PlanText => texts[place] ?? { source: '', text: '' };
  return { ...written, steps: written.steps.map((step) => readStep(step, textAt)), warnings, hazards: [] };
}

const readStep = (step: StepWith<Written>, textAt: (place: Place) => PlanText): Step =>
  exchanged<Written, Real>(step, {
    manifest: (place) => parseManifest(textAt(place).text, textAt(place).source),
    hook: ({ text, ...others }) => ({
      ...others,
      path: textAt(text).source,
      manifest: textAt(text).text,
      lastRun: { phase: '' },
    }),
    existing: (keys) => new Set(keys),
  });
