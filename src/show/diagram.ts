import { kindAndName } from '../manifest/resource-id.ts';
import { resourceName } from '../plan/names.ts';
import { needText } from '../plan/outside-needs.ts';
import type { Plan, PlannedNeed, Step, Unit } from '../plan/types.ts';
import { printableLine } from '../support/printable.ts';
import { awaitNeedsText, hookObjectsText, inWavesText, recordText } from './words.ts';

/** A plan as boxes in boxes, with arrows from what comes first to what waits for it. */
interface Diagram {
  readonly boxes: readonly Box[];
  readonly arrows: readonly Arrow[];
}

interface Box {
  readonly id: string;
  readonly label: readonly string[];
  /** A subchart's box holds others. */
  readonly boxes?: readonly Box[];
}

interface Arrow {
  readonly from: string;
  readonly to: string;
}

/** A plan among others, with the ids of those that it waits for. */
export interface PlanInGraph {
  readonly id: string;
  readonly needs: readonly string[];
  readonly plan: Plan;
}

/** What is done before all plans, in its order: a move of objects, a new name. */
export interface DoneBefore {
  readonly title: string;
  readonly contents: readonly string[];
  /** Those that it changes. */
  readonly releases: readonly Pick<Plan, 'release' | 'namespace'>[];
}

/** `prefix` keeps the ids of several plans apart. */
function diagramOf(plan: Plan, prefix = ''): Diagram {
  const boxes = plan.steps.map((step, index) => stepBox(step, `${prefix}step${index + 1}`));
  const steps = boxes.slice(1).map((box, index): Arrow => ({ from: (boxes[index] as Box).id, to: box.id }));
  const inside = plan.steps.flatMap((step, index) =>
    'unit' in step ? unitArrows(step.unit, `${prefix}step${index + 1}`) : [],
  );
  return { boxes, arrows: [...steps, ...inside] };
}

/** A box for each release with its steps inside, and arrows from those that it waits for; what is done before comes first. */
function graphDiagramOf(plans: readonly PlanInGraph[], before: readonly DoneBefore[]): Diagram {
  const ids = new Map(plans.map(({ id }, index) => [id, `release${index + 1}`]));
  const inside = plans.map(({ id, plan }) => ({ id, plan, own: diagramOf(plan, `${ids.get(id)}_`) }));
  return {
    boxes: [
      ...before.map(({ title, contents }, index) => ({ id: beforeId(index), label: [title, ...contents] })),
      ...inside.map(({ id, plan, own }) => ({
        id: ids.get(id) as string,
        label: [`${plan.action} ${id}`],
        boxes: own.boxes,
      })),
    ],
    arrows: [
      ...arrowsFromBefore(before, plans, ids),
      ...arrowsBetween(plans, ids),
      ...inside.flatMap(({ own }) => own.arrows),
    ],
  };
}

/** An arrow to each release from each of those in the drawing that it needs; `ids` are what the drawing calls them. */
export const arrowsBetween = (plans: readonly PlanInGraph[], ids: ReadonlyMap<string, string>) =>
  plans.flatMap(({ id, needs }) =>
    needs.flatMap((need) => {
      const from = ids.get(need);
      return from === undefined ? [] : [{ from, to: ids.get(id) as string }];
    }),
  );

const beforeId = (index: number): string => `before${index + 1}`;

/** From each of what is done before to the next one, and to the releases that it changes. */
const arrowsFromBefore = (
  before: readonly DoneBefore[],
  plans: readonly PlanInGraph[],
  ids: ReadonlyMap<string, string>,
): readonly Arrow[] =>
  before.flatMap(({ releases }, index) => {
    const isMeant = ({ plan }: PlanInGraph): boolean =>
      releases.some(({ release, namespace }) => release === plan.release && namespace === plan.namespace);
    const next = index + 1 < before.length ? [beforeId(index + 1)] : [];
    const to = [...next, ...plans.filter(isMeant).map(({ id }) => ids.get(id) as string)];
    return to.map((one) => ({ from: beforeId(index), to: one }));
  });

function stepBox(step: Step, id: string): Box {
  switch (step.kind) {
    case 'install-crds':
      return { id, label: ['CRDs', ...step.manifests.map(resourceName)] };
    case 'create-namespace':
      return { id, label: [`namespace ${step.name}`] };
    case 'record':
      return { id, label: [recordText(step)] };
    case 'await-needs':
      return { id, label: [awaitNeedsText, ...step.needs.map(needText)] };
    case 'run-hooks':
      return {
        id,
        label: [`${step.event} hooks`, ...step.batches.map((batch) => batch.flat().map(kindAndName).join(', '))],
      };
    case 'apply':
    case 'delete':
      return {
        id,
        label: [`${step.kind} ${step.unit.name}`, ...[inWavesText(step)].flatMap((text) => text ?? [])],
        boxes: unitBoxes(step.unit, id),
      };
    case 'hook-objects':
      return { id, label: [hookObjectsText(step), ...step.hooks.map(kindAndName)] };
  }
}

/** The ids of a unit's nodes count through its batches: `step1_1`, `step1_2`, … */
const idsIn = (unit: Unit, path: string): ReadonlyMap<string, string> =>
  new Map(unit.batches.flatMap(({ nodes }) => nodes).map(({ id = '' }, index) => [id, `${path}_${index + 1}`]));

const needsText = (need: PlannedNeed): string => `needs ${needText(need)}`;

const unitBoxes = (unit: Unit, path: string): readonly Box[] =>
  unit.batches
    .flatMap(({ nodes }) => nodes)
    .map((node, index): Box => {
      const id = `${path}_${index + 1}`;
      return node.kind === 'unit'
        ? { id, label: [node.unit.name], boxes: unitBoxes(node.unit, id) }
        : { id, label: [node.name, ...node.manifests.map(resourceName), ...(node.needs ?? []).map(needsText)] };
    });

function unitArrows(unit: Unit, path: string): readonly Arrow[] {
  const ids = idsIn(unit, path);
  return unit.batches
    .flatMap(({ nodes }) => nodes)
    .flatMap((node, index): readonly Arrow[] => {
      const to = `${path}_${index + 1}`;
      const arrows = (node.after ?? []).flatMap((id) => ids.get(id) ?? []).map((from) => ({ from, to }));
      return node.kind === 'unit' ? [...arrows, ...unitArrows(node.unit, to)] : arrows;
    });
}

export const dotText = (plan: Plan): string => dotOf(diagramOf(plan));
export const mermaidText = (plan: Plan): string => mermaidOf(diagramOf(plan));
/** The plans of several releases as one picture. */
export const graphDotText = (plans: readonly PlanInGraph[], before: readonly DoneBefore[] = []): string =>
  dotOf(graphDiagramOf(plans, before));
export const graphMermaidText = (plans: readonly PlanInGraph[], before: readonly DoneBefore[] = []): string =>
  mermaidOf(graphDiagramOf(plans, before));

/** In Graphviz's language. A box with others in it is a cluster, which arrows meet at its border. */
function dotOf({ boxes, arrows }: Diagram): string {
  const inner = new Map(boxes.flatMap(innermost));
  const arrow = ({ from, to }: Arrow): string => {
    const ends = [
      inner.get(from) === from ? '' : `ltail=cluster_${from}`,
      inner.get(to) === to ? '' : `lhead=cluster_${to}`,
    ].filter((end) => end !== '');
    return `  ${inner.get(from)} -> ${inner.get(to)}${ends.length === 0 ? '' : ` [${ends.join(', ')}]`};`;
  };
  const lines = [
    'digraph plan {',
    '  compound=true;',
    '  rankdir=LR;',
    '  node [shape=box];',
    ...boxes.flatMap((box) => dotBox(box, '  ')),
    ...arrows.map(arrow),
    '}',
  ];
  return `${lines.join('\n')}\n`;
}

/** The box that stands for each box as the end of an arrow: itself, or the first one inside. */
function innermost(box: Box): readonly [string, string][] {
  const [first] = box.boxes ?? [];
  if (first === undefined) return [[box.id, box.id]];
  const inside = (box.boxes ?? []).flatMap(innermost);
  return [[box.id, (inside[0] as [string, string])[1]], ...inside];
}

function dotBox({ id, label, boxes = [] }: Box, indent: string): readonly string[] {
  const text = label.map((line) => printableLine(line).replaceAll('\\', '\\\\').replaceAll('"', '\\"')).join('\\n');
  if (boxes.length === 0) return [`${indent}${id} [label="${text}"];`];
  const inside = boxes.flatMap((box) => dotBox(box, `${indent}  `));
  return [`${indent}subgraph cluster_${id} {`, `${indent}  label="${text}";`, ...inside, `${indent}}`];
}

/** Mermaid takes a label for HTML, and a line break for the end of a statement. */
const mermaidLine = (line: string): string =>
  printableLine(line).replaceAll('#', '#35;').replaceAll('"', '#quot;').replaceAll('<', '#lt;').replaceAll('>', '#gt;');

/** As a Mermaid flowchart. */
function mermaidOf({ boxes, arrows }: Diagram): string {
  const lines = [
    'flowchart LR',
    ...boxes.flatMap((box) => mermaidBox(box, '  ')),
    ...arrows.map(({ from, to }) => `  ${from} --> ${to}`),
  ];
  return `${lines.join('\n')}\n`;
}

function mermaidBox({ id, label, boxes = [] }: Box, indent: string): readonly string[] {
  const text = label.map(mermaidLine).join('<br>');
  if (boxes.length === 0) return [`${indent}${id}["${text}"]`];
  return [
    `${indent}subgraph ${id} ["${text}"]`,
    ...boxes.flatMap((box) => mermaidBox(box, `${indent}  `)),
    `${indent}end`,
  ];
}
