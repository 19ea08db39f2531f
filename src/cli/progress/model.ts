import type { PodCounts } from '../../cluster/diagnosis.ts';
import type { ExecutionEvent } from '../../execute/events.ts';
import { isAnnounced } from '../../execute/step-title.ts';
import { groupOf, objectKey } from '../../manifest/resource-id.ts';
import type { HookEvent, ResourceId } from '../../manifest/types.ts';
import type { Plan, Step } from '../../plan/types.ts';
import { relevantLine } from '../../problem/foreign/program-log.ts';
import { isOfObject } from '../../problem/problem.ts';
import { addedDetail, hasCode } from '../../support/errors.ts';
import { stepBranch } from './plan-tree.ts';
import type { RunIntroduction } from './reporter.ts';
import {
  type Branch,
  countsOf,
  emptyBranch,
  isAppliedState,
  isRow,
  newRow,
  objectLabel,
  type Row,
  type RowState,
} from './rows.ts';

interface Change {
  readonly state: RowState;
  readonly reason?: string | undefined;
  readonly pods?: PodCounts | undefined;
  readonly cause?: string | undefined;
}

export type LogTail = Extract<ExecutionEvent, { kind: 'log-tail' }>;

/** What a second plan does for a first one that failed. */
const undoTitles: Readonly<Partial<Record<Plan['action'], string>>> = { uninstall: 'undo', rollback: 'roll back' };

/**
 * What is known of a run while it goes: its plans as a tree, with the state of each object. It changes in place, because
 * thousands of events may come in a second.
 */
export class RunModel implements RunIntroduction {
  readonly action: Plan['action'];
  readonly release: string;
  readonly namespace: string;
  readonly chart: string | undefined;
  readonly id: string | undefined;
  readonly startedMs: number;
  readonly steps: Branch[] = [];
  readonly rows: Row[] = [];
  endedMs: number | undefined;
  /** What pods wrote last, by pod. */
  readonly tails = new Map<string, LogTail>();
  /** What is being done now; undefined before the first step and after the last. */
  current: Branch | undefined;
  #step: Step | undefined;
  #index = new Map<string, Row>();
  #branches = new Map<Step, Branch>();

  constructor({ action, release, namespace, chart, id }: RunIntroduction, nowMs: number) {
    this.action = action;
    this.release = release;
    this.namespace = namespace;
    this.chart = chart;
    this.id = id;
    this.startedMs = nowMs;
  }

  take(event: ExecutionEvent, nowMs: number): void {
    switch (event.kind) {
      case 'plan-started':
        return this.#addPlan(event.plan, nowMs);
      case 'step-started':
        return this.#startStep(event.title, event.step, nowMs);
      case 'resource':
        // At the end of a run it is not ready, not failed.
        if (event.isTimeout) return undefined;
        return this.#change(this.#rowOf('resource', event.id, undefined), event, nowMs);
      case 'hook':
        return this.#changeHook(event, nowMs);
      case 'log-tail':
        return this.#takeTail(event);
      case 'batch-started':
      case 'batch-finished':
      case 'unit':
      case 'log':
      case 'log-line':
      case 'log-gap':
      case 'warning':
      case 'note':
        return undefined;
    }
  }

  #takeTail(tail: LogTail): void {
    this.tails.set(objectLabel(tail.id, this.namespace), tail);
    for (const row of this.rows) if (isSame(row.id, tail.of)) row.lastLogLine = relevantLine(tail.lines)?.text ?? '';
  }

  /** Whether an object or a hook's object is being waited for. */
  isOpen(id: ResourceId): boolean {
    return this.rows.some((row) => row.state === 'waiting' && isSame(row.id, id));
  }

  /**
   * `failure`: why it did not end well. Its faults say which rows come first, and tell the causes of those; where the first
   * of them ended the run, nothing is known of the others.
   */
  end(nowMs: number, failure?: unknown): void {
    this.#endStep(nowMs);
    this.endedMs = nowMs;
    const judged = (addedDetail(failure, 'problems') ?? []).filter(({ state }) => state !== 'unjudged');
    const faults = [...new Set(judged.filter(isOfObject).map(({ subject }) => objectKey(subject.id)))];
    if (faults.length === 0) return;
    for (const row of this.rows) {
      const at = faults.indexOf(objectKey(row.id));
      row.rank = at < 0 ? Number.POSITIVE_INFINITY : at;
      row.isInMessage = at >= 0;
      row.isJudged = row.isInMessage || !hasCode(failure, 'wait-failed');
    }
  }

  #addPlan(plan: Plan, nowMs: number): void {
    this.#endStep(nowMs);
    this.#index = new Map();
    this.#branches = new Map();
    // Its steps look like those of the plan before.
    const undoes = this.steps.length > 0 && plan.action !== this.action ? undoTitles[plan.action] : undefined;
    for (const step of plan.steps.filter(isAnnounced)) {
      const branch = stepBranch(step, plan, (row) => this.#add(row));
      if (undoes !== undefined) branch.title = `${undoes}: ${branch.title}`;
      this.#branches.set(step, branch);
      this.steps.push(branch);
    }
  }

  #add(row: Row): void {
    this.rows.push(row);
    row.parent.children.push(row);
    for (let at: Branch | undefined = row.parent; at !== undefined; at = at.parent) at.total += 1;
    this.#index.set(this.#keyOf(row.kind, row.id, row.event), row);
  }

  #startStep(title: string, step: Step, nowMs: number): void {
    this.#endStep(nowMs);
    const branch = this.#branches.get(step) ?? emptyBranch('step', title, undefined);
    if (!this.#branches.has(step)) this.steps.push(branch);
    branch.startedMs = nowMs;
    this.current = branch;
    this.#step = step;
  }

  #endStep(nowMs: number): void {
    if (this.current !== undefined) {
      this.current.endedMs = nowMs;
      if (this.#step?.kind === 'create-namespace') this.current.title = namespaceTitle(this.#step.name, this.current);
    }
    this.current = undefined;
  }

  /** The row; one that no plan told of (an item of a list, what is cleaned up) is added to the step that goes on. */
  #rowOf(kind: Row['kind'], id: ResourceId, event: HookEvent | undefined): Row {
    const known = this.#index.get(this.#keyOf(kind, id, event));
    if (known !== undefined) {
      known.id = id;
      return known;
    }
    const parent = this.current ?? this.#otherStep();
    const row = newRow({ kind, id, event, source: '', isWaitedFor: false, parent }, this.namespace);
    this.#add(row);
    return row;
  }

  #otherStep(): Branch {
    const last = this.steps.at(-1);
    if (last !== undefined) return last;
    const branch = emptyBranch('step', this.action, undefined);
    this.steps.push(branch);
    return branch;
  }

  /** That a hook's object is deleted, before or after, says nothing of how the hook went. */
  #changeHook(event: Extract<ExecutionEvent, { kind: 'hook' }>, nowMs: number): void {
    const row = this.#rowOf('hook', event.id, event.event);
    if (event.state !== 'deleted') this.#change(row, event, nowMs);
  }

  #change(row: Row, { state, reason, pods, cause }: Change, nowMs: number): void {
    const before = countsOf(row);
    row.state = state;
    row.reason = reason ?? '';
    row.cause = cause ?? (state === 'failed' ? row.reason : '');
    row.pods = pods ?? row.pods;
    row.startedMs ??= nowMs;
    if (isAppliedState(state) || state === 'started') row.appliedMs ??= nowMs;
    const after = countsOf(row);
    row.endedMs = after.done + after.failed > 0 ? (row.endedMs ?? nowMs) : undefined;
    for (let at: Branch | undefined = row.parent; at !== undefined; at = at.parent) {
      at.begun += after.begun - before.begun;
      at.done += after.done - before.done;
      at.failed += after.failed - before.failed;
      if (at.kind === 'step') continue;
      at.startedMs ??= nowMs;
      at.endedMs = at.done + at.failed === at.total ? (at.endedMs ?? nowMs) : undefined;
    }
  }

  /** Cluster-scoped objects have no namespace where the cluster tells of them, and may have one where the plan does. */
  #keyOf(kind: Row['kind'], id: ResourceId, event: HookEvent | undefined): string {
    const namespace = id.namespace === this.namespace ? '' : id.namespace;
    return `${kind} ${event ?? ''} ${groupOf(id.apiVersion)} ${id.kind} ${namespace} ${id.name}`;
  }
}

/** --create-namespace leaves one alone that is there. */
const namespaceTitle = (name: string, { title, children }: Branch): string =>
  children.some((row) => isRow(row) && (row.state === 'configured' || row.state === 'unchanged'))
    ? `namespace ${name} exists already`
    : title;

const isSame = (a: ResourceId, b: ResourceId): boolean =>
  a.name === b.name && a.kind === b.kind && a.namespace === b.namespace;
