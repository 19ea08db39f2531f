import { kindAndName } from '../manifest/resource-id.ts';
import { hookTitle, resourceName } from '../plan/names.ts';
import { needText, reasonsOf } from '../plan/outside-needs.ts';
import type { Batch, BatchNode, Manifest, Plan, PlannedChanges, Step, Unit } from '../plan/types.ts';
import { unreachable } from '../support/errors.ts';
import { addTo } from '../support/group-by.ts';
import { printableLine } from '../support/printable.ts';
import {
  awaitNeedsText,
  batchWord,
  hookObjectsText,
  ifStoppedText,
  inWavesText,
  namespaceText,
  policyText,
  recordText,
  resourceLabels,
  revisionsText,
  summaryText,
  waitText,
} from './words.ts';

export interface Branch {
  readonly text: string;
  readonly branches?: readonly Branch[] | undefined;
}

/** A plan as a tree of steps and batches for a terminal. Ends with a newline. */
export function drawPlan(plan: Plan): string {
  const { title, steps, ifStopped, notes, summary } = planTree(plan);
  const warnings = plan.warnings.map((text) => `warning: ${printableLine(text)}`);
  const end = [...(ifStopped === undefined ? [] : [ifStopped]), ...notes.map(printableLine), ...warnings];
  return `${[title, ...branchLines(steps), ...end, ...summary].join('\n')}\n`;
}

/** The parts of the tree, for other drawings of it. */
export function planTree(plan: Plan) {
  const { action, release, steps, changes } = plan;
  const label = resourceLabels(plan);
  const revisions = changes === undefined || action === 'uninstall' ? '' : `: ${revisionsText(changes)}`;
  return {
    title: `${action} ${release} in ${namespaceText(plan)}${revisions} (${waitText(plan)})`,
    steps: steps.map((step) => stepBranch(step, label)),
    ifStopped: ifStoppedText(plan),
    notes: changes === undefined ? [] : notesOf(changes),
    summary: changes === undefined ? [] : [summaryText(changes)],
  };
}

/** What is not known, each text once with the objects of which it is said. */
function notesOf({ objects }: PlannedChanges): readonly string[] {
  const said = new Map<string, string[]>();
  for (const { id, notes, problem, mayComeYet } of objects) {
    const open = mayComeYet ? [`not accepted until an earlier step has run: ${problem}`] : [];
    for (const note of [...notes, ...open]) addTo(said, note, `${id.kind}/${id.name}`);
  }
  return [...said].map(([note, [first = '', ...others]]) => {
    const more = others.length === 0 ? '' : ` and ${others.length} more`;
    return `note: ${first}${more}: ${note}`;
  });
}

type Label = (manifest: Manifest) => string;

const branchLines = (branches: readonly Branch[]): readonly string[] =>
  branches.flatMap(({ text, branches: inner = [] }, index) => {
    const isLast = index === branches.length - 1;
    return [
      `${isLast ? '└─' : '├─'} ${printableLine(text)}`,
      ...branchLines(inner).map((line) => `${isLast ? '   ' : '│  '}${line}`),
    ];
  });

function stepBranch(step: Step, label: Label): Branch {
  const { text, branches } = plainBranch(step, label);
  const remarks = [...('waves' in step ? [inWavesText(step)] : []), policyText(step)].filter(
    (remark) => remark !== undefined,
  );
  return { text: remarks.length === 0 ? text : `${text}  (${remarks.join('; ')})`, branches };
}

function plainBranch(step: Step, label: Label): Branch {
  switch (step.kind) {
    case 'install-crds':
      return { text: 'install CRDs', branches: step.manifests.map((manifest) => ({ text: label(manifest) })) };
    case 'create-namespace':
      return {
        text: `create namespace ${step.name} if it does not exist`,
        branches: namespaceBranches(step.name, label),
      };
    case 'record':
      return { text: recordText(step) };
    case 'await-needs':
      return { text: awaitNeedsText, branches: step.needs.map((need) => ({ text: needText(need) })) };
    case 'run-hooks': {
      const batches = step.batches.map((batch) => batch.map((chain) => chain.map(hookTitle).join(' > ')).join(', '));
      return { text: `run ${step.event} hooks`, branches: batches.map((text) => ({ text })) };
    }
    case 'apply':
    case 'delete':
      return { text: `${step.kind} ${step.unit.name}`, branches: unitBranches(step.unit, label) };
    case 'hook-objects':
      return { text: hookObjectsText(step), branches: step.hooks.map((hook) => ({ text: kindAndName(hook) })) };
    default:
      return unreachable(step);
  }
}

/** What becomes of the namespace, where that is known. */
function namespaceBranches(name: string, label: Label): readonly Branch[] {
  const object = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
  const manifest: Manifest = { source: '', text: '', object };
  const text = label(manifest);
  return text === resourceName(manifest) ? [] : [{ text }];
}

const unitBranches = (unit: Unit, label: Label): readonly Branch[] =>
  unit.batches.length === 1
    ? (unit.batches[0] as Batch).nodes.map((node) => nodeBranch(node, label))
    : unit.batches.map(({ nodes }, index) => ({
        text: `${batchWord(unit)} ${index + 1} of ${unit.batches.length}`,
        branches: nodes.map((node) => nodeBranch(node, label)),
      }));

function nodeBranch(node: BatchNode, label: Label): Branch {
  const reasons = reasonsOf(node);
  const why = reasons.length === 0 ? '' : `  ← ${reasons.join(', ')}`;
  if (node.kind === 'unit') {
    const branches = onlyRest(node.unit, label) ?? unitBranches(node.unit, label);
    return { text: `chart ${node.unit.name}${why}`, branches };
  }
  const kind = node.id?.startsWith('group:') ? 'group ' : '';
  const [only, ...others] = node.manifests;
  // A resource that is a node of its own is said once.
  if (only !== undefined && others.length === 0 && node.name === resourceName(only))
    return { text: `${kind}${label(only)}${why}`, branches: [] };
  return { text: `${kind}${node.name}${why}`, branches: resourceBranches(node, label) };
}

/** The resources of a chart that has nothing but them. */
function onlyRest({ batches }: Unit, label: Label): readonly Branch[] | undefined {
  const [node, ...others] = batches.flatMap(({ nodes }) => nodes);
  return others.length === 0 && node?.kind === 'resources' && node.id === 'rest'
    ? resourceBranches(node, label)
    : undefined;
}

const resourceBranches = ({ manifests }: Extract<BatchNode, { kind: 'resources' }>, label: Label): readonly Branch[] =>
  manifests.map((manifest) => ({ text: label(manifest) }));
