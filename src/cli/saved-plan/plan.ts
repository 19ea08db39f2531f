import type { ReleaseDiff } from '../../actions/comparison/object-diff.ts';
import type { ReleaseReview } from '../../actions/comparison/review.ts';
import type { Plan } from '../../plan/types.ts';
import type { RequestedChange } from '../../saved-plan/decide.ts';
import type { ChangeToSave, GivenChart } from '../../saved-plan/save.ts';
import type { CliContext, CommandSession } from '../context.ts';
import { coloredDiffText } from '../flags/diff-flags.ts';
import { endWithChanges } from '../flags/exit-code-flags.ts';
import { keyOf } from '../flags/saved-plan-flags.ts';
import { planText } from '../output/plan-text.ts';
import { warnOfUnreadValues } from '../print-problems.ts';
import { postRendererOf } from '../sources/post-renderer.ts';
import { kindOf } from '../terminal/io.ts';
import type { PlanFormRequest } from './plan-request.ts';

/**
 * Decides a change, asks the API server what it would do to each object, shows both and, with --out, saves it. Errors:
 * those of the action, `plan-key`, `diff-refused`.
 */
export async function runPlanForm(request: PlanFormRequest, context: CliContext): Promise<void> {
  const { hasChanges } = await decidePlanForm(request, context);
  endWithChanges(hasChanges, request.flags, context);
}

export interface DecidedForm {
  readonly change: ChangeToSave;
  readonly review: () => ReleaseReview;
  readonly hasChanges: boolean;
  readonly session: CommandSession;
}

/** The same, with what was decided. */
export async function decidePlanForm(request: PlanFormRequest, context: CliContext): Promise<DecidedForm> {
  const { flags, options } = request;
  const key = await keyOf(flags, context.io);
  const { name, reference } = await named(request, context);
  const chart = reference === undefined ? undefined : await givenChart(reference, request, context);
  if (chart !== undefined && reference !== undefined)
    await warnOfUnreadValues({ title: `plan ${name}`, chart: reference, loaded: chart, always: true }, context);
  const postRenderer = postRendererOf(flags, context);
  const session = await context.open(flags, { postRenderer });
  const { decideChange } = await import('../../saved-plan/decide.ts');
  const { remarks, ...decided } = await decideChange(requestedChange({ ...request, name }, chart, session), session);
  for (const remark of remarks) session.onEvent?.(remark);
  const change = { ...decided, options: { ...decided.options, strictPlan: options['strictPlan'] } };
  const { learnFromPlan } = await import('../../change/learn-secrets.ts');
  learnFromPlan(change.decided.plan, context.secrets);
  const { changesOfPlan } = await import('../../session/saved-plan.ts');
  const { outline, review, problems, changes, diff } = await changesOfPlan(change, session);
  await show({ plan: { ...change.decided.plan, changes }, review, diff }, request, context);
  if (options['strictPlan'])
    (await import('../../change/deploy/plan-hazards.ts')).refuseHazards(change.decided.plan.hazards ?? []);
  const hasChanges = (await import('../../saved-plan/judge.ts')).hasChangesUnlessRefused(outline, problems);
  if (flags.out !== undefined) {
    const { writePlan } = await import('./write-plan.ts');
    await writePlan([{ change, review: review(), context: session }], { out: flags.out, key }, flags, context);
  }
  return { change, review, hasChanges, session };
}

async function named({ action, words, naming }: PlanFormRequest, { io }: CliContext) {
  const [name = '', reference] = words;
  if (action !== 'install') return { name, reference };
  const { nameAndChart } = await import('../../actions/name-and-chart.ts');
  const found = nameAndChart(words, { ...naming, now: io.now });
  return { name: found.name, reference: found.chart };
}

function requestedChange(
  { action, name, options, flags }: PlanFormRequest & { readonly name: string },
  chart: GivenChart | undefined,
  { settings }: CommandSession,
): RequestedChange {
  const maxHistory = options['maxHistory'] ?? settings.maxHistory;
  const limited = action === 'upgrade' || action === 'rollback' ? { ...options, maxHistory } : options;
  // Hazards are reported with the plan, which is refused once it has been shown.
  return { action, name, options: { ...limited, strictPlan: false }, chart, kubeContext: flags.kubeContext };
}

async function givenChart(
  reference: string,
  { access, values: given, flags }: PlanFormRequest,
  context: CliContext,
): Promise<GivenChart> {
  const { loadRequest } = await import('../sources/load-request.ts');
  const { chart, values } = await loadRequest({ reference, access, values: given, flags }, context);
  const { postRenderer: command, postRendererArgs: args = [], dependencyUpdate } = flags;
  return {
    reference,
    access: { ...access, ...(dependencyUpdate && { dependencyUpdate }) },
    chart,
    given,
    values,
    postRenderer: command ? { command, args } : undefined,
  };
}

interface Shown {
  readonly plan: Plan;
  readonly review: () => ReleaseReview;
  readonly diff: ReleaseDiff;
}

async function show({ plan, review, diff }: Shown, { flags }: PlanFormRequest, context: CliContext): Promise<void> {
  const { io } = context;
  const { output } = flags;
  if (output === 'markdown') {
    const { commentLimit, reviewMarkdown } = await import('../../show/changes/markdown.ts');
    const { fullCommand } = await import('../errors/next-command.ts');
    const whole = await fullCommand(context, { more: ['--diff'] });
    io.stdout.write(reviewMarkdown([review()], commentLimit(io.env), whole), 'data');
    return;
  }
  io.stdout.write(await planText(plan, output), kindOf(output));
  if (output === 'tree' && flags.diff) io.stdout.write(`\n${await coloredDiffText(diff, flags, context)}`, 'painted');
  if (output === 'dot' || output === 'mermaid')
    for (const text of plan.warnings) io.stderr.write(`warning: ${text}\n`, 'folded');
}
