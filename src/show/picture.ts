import { kindAndName } from '../manifest/resource-id.ts';
import { hookTitle, resourceName } from '../plan/names.ts';
import { needText, reasonsOf } from '../plan/outside-needs.ts';
import type { Batch, BatchNode, Hook, Manifest, Plan, Step, Unit } from '../plan/types.ts';
import { bundled } from './bundles.ts';
import type { Picture, PictureBox, PictureColumn } from './picture-types.ts';
import {
  awaitNeedsText,
  batchWord,
  hookObjectsText,
  inWavesText,
  policyText,
  recordText,
  resourceLabels,
} from './words.ts';

/** The steps of a plan, one after another, with their batches inside; `path` keeps the ids of several plans apart. */
export function pictureOf(plan: Plan, path = ''): Picture {
  const label = resourceLabels(plan);
  const boxes = plan.steps.map((step, index) => stepBox(step, index, { plan, path, label }));
  return {
    columns: boxes.map((box) => ({ caption: '', boxes: [box] })),
    arrows: boxes.slice(1).map(({ id }, index) => ({ from: (boxes[index] as PictureBox).id, to: id })),
    gates: [],
  };
}

/** What a box says of a resource. */
type Label = (manifest: Manifest) => string;

interface StepPlace {
  readonly plan: Plan;
  readonly path: string;
  readonly label: Label;
}

function stepBox(step: Step, index: number, { plan, path, label }: StepPlace): PictureBox {
  const id = `${path}step${index + 1}`;
  const common = { id, kind: 'step', contents: [] } as const;
  const remarks = ['waves' in step ? inWavesText(step) : undefined, policyText(step)];
  const reasons = [
    index === 0 ? `starts the ${plan.action}` : 'waits for the step before it',
    ...remarks.flatMap((remark) => remark ?? []),
  ];
  switch (step.kind) {
    case 'install-crds':
      return { ...common, title: 'CRDs', contents: step.manifests.map(label), reasons };
    case 'create-namespace':
      return { ...common, title: `namespace ${step.name}`, reasons };
    case 'record':
      return { ...common, title: recordText(step), reasons };
    case 'await-needs':
      return { ...common, title: awaitNeedsText, contents: step.needs.map(needText), reasons };
    case 'run-hooks':
      return { ...common, title: `${step.event} hooks`, reasons, inside: hookPicture(step.batches, id) };
    case 'apply':
    case 'delete':
      return { ...common, title: `${step.kind} ${step.unit.name}`, reasons, inside: unitPicture(step.unit, id, label) };
    case 'hook-objects':
      return { ...common, title: hookObjectsText(step), contents: step.hooks.map(kindAndName), reasons };
  }
}

/** Hook batches from left to right; a chain is one box. */
const hookPicture = (batches: readonly (readonly (readonly Hook[])[])[], path: string): Picture => ({
  columns: batches.map((chains, batch) => ({
    caption: batches.length > 1 ? `hooks ${batch + 1}` : '',
    boxes: chains.map((chain, index) => hookBox(chain, `${path}_${batch + 1}_${index + 1}`, batch)),
  })),
  arrows: [],
  gates: [],
});

function hookBox(chain: readonly Hook[], id: string, batch: number): PictureBox {
  const [first] = chain;
  const weight = first?.weight ?? 0;
  const order = batch === 0 ? 'has the lowest weight' : 'waits for the hooks before it';
  return {
    id,
    kind: 'hook',
    title: chain.length === 1 && first !== undefined ? hookTitle(first) : `${chain.length} hooks, one after another`,
    contents: chain.length === 1 ? [`weight ${weight}`] : chain.map(hookTitle),
    reasons: [`${order}: helm.sh/hook-weight ${weight}, then by name`],
  };
}

/** The order of one unit, its subcharts' own inside. `path` begins the ids: `step1`. */
export function unitPicture(unit: Unit, path: string, label: Label = resourceName): Picture {
  const nodes = unit.batches.flatMap((batch) => batch.nodes);
  const idOf = new Map(nodes.map((node, index) => [node, `${path}_${index + 1}`]));
  const byNodeId = new Map(nodes.map((node) => [node.id ?? '', idOf.get(node) as string]));
  const columns = unit.batches.map((batch, index) => unitColumn(batch, index, { unit, idOf, label }));
  const arrows = nodes.flatMap((node) =>
    (node.after ?? []).flatMap((id) => byNodeId.get(id) ?? []).map((from) => ({ from, to: idOf.get(node) as string })),
  );
  return { columns, ...bundled(columns, arrows, path) };
}

interface UnitPlace {
  readonly unit: Unit;
  readonly idOf: ReadonlyMap<BatchNode, string>;
  readonly label: Label;
}

const unitColumn = (batch: Batch, index: number, { unit, idOf, label }: UnitPlace): PictureColumn => ({
  caption: unit.batches.length > 1 ? `${batchWord(unit)} ${index + 1}` : '',
  boxes: batch.nodes.map((node) => nodeBox(node, idOf.get(node) as string, unit.name, label)),
});

function nodeBox(node: BatchNode, id: string, chart: string, label: Label): PictureBox {
  const because = reasonsOf(node);
  const reasons = because.length > 0 ? because.map(reasonText) : [`waits for nothing else in ${chart}`];
  if (node.kind === 'unit') {
    const common = { id, kind: 'chart', title: node.unit.name, reasons } as const;
    const only = onlyResources(node.unit);
    return only === undefined
      ? { ...common, contents: [], inside: unitPicture(node.unit, id, label) }
      : { ...common, contents: only.map(label) };
  }
  const contents = node.manifests.map(label);
  return node.id?.startsWith('group:')
    ? { id, kind: 'group', title: node.name, contents, reasons }
    : { id, kind: 'resources', title: node.name, contents, reasons };
}

/** The resources of a chart that has nothing but them, in one batch. */
function onlyResources({ batches }: Unit): readonly Manifest[] | undefined {
  const [node, ...others] = batches.flatMap(({ nodes }) => nodes);
  if (node === undefined) return [];
  return others.length === 0 && node.kind === 'resources' && node.id === 'rest' ? node.manifests : undefined;
}

/** `waits for bar: Chart.yaml depends-on`, from `bar (Chart.yaml depends-on)`. */
const reasonText = (because: string): string => `waits for ${because.replace(/ \((.*)\)$/s, ': $1')}`;
