import { needText } from '../../src/plan/outside-needs.ts';
import type { Batch, BatchNode, Hook, Manifest, Plan, Step, StepOf, Unit } from '../../src/plan/types.ts';
import { hookObjectsText, ifStoppedText, inWavesText, policyText, recordText } from '../../src/show/words.ts';
import { unreachable } from '../../src/support/errors.ts';
import { compareText } from '../../src/support/order.ts';

/** A plan as text for people: one numbered line for each step, what it touches below it. Ends with a newline. */
export function printPlan(plan: Plan): string {
  const steps = plan.steps.flatMap((step, index) => numbered(index + 1, printStep(step)));
  const lines = [
    `${plan.action} ${plan.release} in namespace ${plan.namespace} (wait: ${plan.strategy})`,
    ...(steps.length > 0 ? steps : ['  nothing to do']),
    ...[ifStoppedText(plan)].flatMap((text) => (text === undefined ? [] : [`  ${text}`])),
    ...plan.warnings.map((warning) => `warning: ${warning}`),
  ];
  return `${lines.join('\n')}\n`;
}

function numbered(number: number, [title = '', ...rest]: readonly string[]): readonly string[] {
  return [`${String(number).padStart(3)}. ${title}`, ...rest.map((line) => `     ${line}`)];
}

function printStep(step: Step): readonly string[] {
  const [title = '', ...rest] = printPlainStep(step);
  const policy = policyText(step);
  return [policy === undefined ? title : `${title} (${policy})`, ...rest];
}

function printPlainStep(step: Step): readonly string[] {
  switch (step.kind) {
    case 'install-crds':
      return ['install CRDs', ...indent(printManifests(step.manifests))];
    case 'create-namespace':
      return [`create namespace ${step.name} if it does not exist`];
    case 'record':
      return [recordText(step)];
    case 'await-needs':
      return [`wait for ${step.needs.map(needText).join(', ')}`];
    case 'run-hooks':
      return [`run ${step.event} hooks`, ...step.batches.flatMap(printHookBatch)];
    case 'apply':
      return [`apply ${step.unit.name}`, ...indent([...printWaves(step), ...printUnit(step.unit)])];
    case 'delete':
      return [`delete from ${step.unit.name}`, ...indent([...printWaves(step), ...printUnit(step.unit)])];
    case 'hook-objects':
      return [hookObjectsText(step), `  ${step.hooks.map(hookTitle).join(', ')}`];
    default:
      return unreachable(step);
  }
}

const printWaves = (step: StepOf<'apply' | 'delete'>): readonly string[] => {
  const text = inWavesText(step);
  return text === undefined ? [] : [text];
};

const printHookBatch = (batch: readonly (readonly Hook[])[]): readonly string[] => [
  `  ${batch.map((chain) => chain.map(hookTitle).join(' > ')).join(', ')}`,
];

const hookTitle = (hook: Hook): string => `${hook.kind}/${hook.name}${hook.weight === 0 ? '' : ` (${hook.weight})`}`;

const printUnit = (unit: Unit): readonly string[] =>
  unit.batches.flatMap((batch, index) => printBatch(batch, index + 1, unit.batches.length));

function printBatch(batch: Batch, number: number, count: number): readonly string[] {
  const nodes = batch.nodes.flatMap(printNode);
  const until = batch.wait ? ', then wait' : '';
  return count === 1 && !batch.wait ? nodes : [`batch ${number} of ${count}${until}`, ...indent(nodes)];
}

function printNode(node: BatchNode): readonly string[] {
  const because = node.because.length === 0 ? '' : ` after ${node.because.join(', ')}`;
  switch (node.kind) {
    case 'resources':
      return [`${node.name}${because}`, ...indent(printManifests(node.manifests))];
    case 'unit':
      return [`chart ${node.unit.name}${because}`, ...indent(printUnit(node.unit))];
    default:
      return unreachable(node);
  }
}

/** One line for each kind, in the order in which the kinds come. */
function printManifests(manifests: readonly Manifest[]): readonly string[] {
  const names = new Map<string, string[]>();
  for (const { object } of manifests) names.set(object.kind, [...(names.get(object.kind) ?? []), object.metadata.name]);
  return [...names].map(([kind, sameKind]) => `${kind}: ${sameKind.sort(compareText).join(', ')}`);
}

const indent = (lines: readonly string[]): readonly string[] => lines.map((line) => `  ${line}`);
