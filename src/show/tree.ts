import { hookName, resourceName } from '../plan/names.ts';
import { needText, reasonsOf } from '../plan/outside-needs.ts';
import type { Batch, BatchNode, Plan, Step, Unit } from '../plan/types.ts';
import { unreachable } from '../support/errors.ts';
import { printableLine } from '../support/printable.ts';
import {
  awaitNeedsText,
  batchWord,
  hookObjectsText,
  ifStoppedText,
  inWavesText,
  policyText,
  recordText,
  waitText,
} from './words.ts';

export interface Branch {
  readonly text: string;
  readonly branches?: readonly Branch[] | undefined;
}

/** A plan as a tree of steps and batches for a terminal. Ends with a newline. */
export function drawPlan(plan: Plan): string {
  const { title, steps, ifStopped } = planTree(plan);
  const warnings = plan.warnings.map((text) => `warning: ${printableLine(text)}`);
  const end = ifStopped === undefined ? warnings : [ifStopped, ...warnings];
  return `${[title, ...branchLines(steps), ...end].join('\n')}\n`;
}

/** The parts of the tree, for other drawings of it. */
export const planTree = (plan: Plan) => ({
  title: `${plan.action} ${plan.release} in namespace ${plan.namespace} (${waitText(plan)})`,
  steps: plan.steps.map(stepBranch),
  ifStopped: ifStoppedText(plan),
});

const branchLines = (branches: readonly Branch[]): readonly string[] =>
  branches.flatMap(({ text, branches: inner = [] }, index) => {
    const isLast = index === branches.length - 1;
    return [
      `${isLast ? '└─' : '├─'} ${printableLine(text)}`,
      ...branchLines(inner).map((line) => `${isLast ? '   ' : '│  '}${line}`),
    ];
  });

function stepBranch(step: Step): Branch {
  const { text, branches } = plainBranch(step);
  const remarks = [...('waves' in step ? [inWavesText(step.waves)] : []), policyText(step)].filter(
    (remark) => remark !== undefined,
  );
  return { text: remarks.length === 0 ? text : `${text}  (${remarks.join('; ')})`, branches };
}

function plainBranch(step: Step): Branch {
  switch (step.kind) {
    case 'install-crds':
      return { text: 'install CRDs', branches: step.manifests.map((manifest) => ({ text: resourceName(manifest) })) };
    case 'create-namespace':
      return { text: `create namespace ${step.name} if it does not exist` };
    case 'record':
      return { text: recordText(step) };
    case 'await-needs':
      return { text: awaitNeedsText, branches: step.needs.map((need) => ({ text: needText(need) })) };
    case 'run-hooks': {
      const batches = step.batches.map((batch) => batch.map((chain) => chain.map(hookName).join(' > ')).join(', '));
      return { text: `run ${step.event} hooks`, branches: batches.map((text) => ({ text })) };
    }
    case 'apply':
    case 'delete':
      return { text: `${step.kind} ${step.unit.name}`, branches: unitBranches(step.unit) };
    case 'hook-objects':
      return { text: hookObjectsText(step), branches: step.hooks.map((hook) => ({ text: hookName(hook) })) };
    default:
      return unreachable(step);
  }
}

const unitBranches = (unit: Unit): readonly Branch[] =>
  unit.batches.length === 1
    ? (unit.batches[0] as Batch).nodes.map(nodeBranch)
    : unit.batches.map(({ nodes }, index) => ({
        text: `${batchWord(unit)} ${index + 1} of ${unit.batches.length}`,
        branches: nodes.map(nodeBranch),
      }));

function nodeBranch(node: BatchNode): Branch {
  const reasons = reasonsOf(node);
  const why = reasons.length === 0 ? '' : `  ← ${reasons.join(', ')}`;
  if (node.kind === 'unit')
    return { text: `chart ${node.unit.name}${why}`, branches: onlyRest(node.unit) ?? unitBranches(node.unit) };
  const kind = node.id?.startsWith('group:') ? 'group ' : '';
  const own = resourceBranches(node);
  // A resource that is a node of its own is said once.
  const isOne = own.length === 1 && own[0]?.text === node.name;
  return { text: `${kind}${node.name}${why}`, branches: isOne ? [] : own };
}

/** The resources of a chart that has nothing but them. */
function onlyRest({ batches }: Unit): readonly Branch[] | undefined {
  const [node, ...others] = batches.flatMap(({ nodes }) => nodes);
  return others.length === 0 && node?.kind === 'resources' && node.id === 'rest' ? resourceBranches(node) : undefined;
}

const resourceBranches = ({ manifests }: Extract<BatchNode, { kind: 'resources' }>): readonly Branch[] =>
  manifests.map((manifest) => ({ text: resourceName(manifest) }));
