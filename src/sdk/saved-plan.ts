import { readFile } from 'node:fs/promises';
import { installFlags } from '../actions/options/install.ts';
import { upgradeFlags } from '../actions/options/upgrade.ts';
import { optionsWithRows } from '../change/option-rows.ts';
import type { ExecutionEvent } from '../execute/events.ts';
import type { Plan } from '../plan/types.ts';
import { applyRelease, checkRelease, plannedAction, prepareRelease } from '../saved-plan/apply.ts';
import { decideChange } from '../saved-plan/decide.ts';
import { checkUsable, openPlanFile, unusable } from '../saved-plan/file.ts';
import { hasChangesUnlessRefused } from '../saved-plan/judge.ts';
import type { Key } from '../saved-plan/seal.ts';
import { changesOfPlan, savePlan } from '../session/saved-plan.ts';
import { appliedMove } from './moves.ts';
import { eventForPrograms } from './operation.ts';
import { checkShape, listOfTexts, number, refused, type Shape, text } from './option-checks.ts';
import type { ApplyOptions, ApplyResult, ChartReference, PlanFile, PlanOptions } from './options.ts';
import { chartToSave, loadedInputs, targetOf } from './plan-inputs.ts';
import { releaseForPrograms } from './release.ts';
import { type Session, secretsOf } from './session.ts';

const saveShape: Shape<PlanFile> = {
  encryptTo: listOfTexts,
  expiresInMs: number,
  file: text,
  passphrase: text,
  signKey: text,
};

/**
 * Decides a change, and writes it to a file as `tshelm plan --out` does. Errors: `bad-options` for what no file can hold,
 * `diff-refused`, those of the change until it is decided.
 */
export async function saved(
  name: string,
  reference: ChartReference,
  options: PlanOptions & { readonly save: PlanFile },
  session: Session,
): Promise<Plan> {
  const { save, action = 'install', wait = 'ordered' } = options;
  const key = keyOf(save);
  const target = targetOf(save, session);
  if (options.postRenderer !== undefined)
    throw refused('postRenderer', 'a plan with a function as its postRenderer cannot be saved');
  const chart = await chartToSave(reference, options, session);
  const own =
    action === 'upgrade'
      ? { install: true, ...optionsWithRows(upgradeFlags, options), wait }
      : { ...optionsWithRows(installFlags, options), wait };
  const context = await session.readContext(options);
  const { remarks, ...change } = await decideChange({ action, name, options: own, chart }, context);
  for (const remark of remarks) context.onEvent?.(remark);
  const { outline, review, problems, changes } = await changesOfPlan(change, context);
  hasChangesUnlessRefused(outline, problems);
  const { warnings } = await savePlan([{ change, review: review(), context }], { ...target, key });
  return { ...change.decided.plan, changes, warnings: [...change.decided.plan.warnings, ...warnings] };
}

function keyOf(save: PlanFile): Key | undefined {
  checkShape(save, saveShape, 'save.');
  const { encryptTo = [], passphrase } = save;
  if (encryptTo.length > 0 && passphrase !== undefined)
    throw refused('save.passphrase', 'save: pass either encryptTo or passphrase, not both');
  if (encryptTo.length > 0) return { kind: 'recipients', recipients: encryptTo };
  return passphrase === undefined ? undefined : { kind: 'passphrase', passphrase };
}

/** Carries out the plan of a file. Errors: those of `tshelm apply`. */
export async function applied(
  file: string,
  options: ApplyOptions & { readonly signal: AbortSignal },
  tell: (event: ExecutionEvent) => void,
  session: Session,
): Promise<ApplyResult> {
  const plan = await openPlanFile(file, () => readFile(file, 'utf8'), options);
  checkUsable(plan, session.clock.now());
  const [release] = plan.releases;
  const contextOf = (namespace: string) =>
    session.context({ ...options, namespace }, (event) => tell(eventForPrograms(event)));
  if (plan.move !== undefined) return appliedMove(plan.move, options, contextOf, session);
  if (plan.stack !== undefined || release === undefined || plan.releases.length > 1)
    throw unusable(file, 'it is the plan of a stack; apply it with the command line (tshelm apply)');
  const program = release.inputs?.postRenderer?.command;
  if (program !== undefined)
    throw unusable(
      file,
      `it uses the program ${program} as its post-renderer; apply it with the command line (tshelm apply)`,
    );
  const { allow = [], identities, passphrase } = options;
  const own = { ...options, namespace: release.namespace };
  const inputs = release.inputs && (await loadedInputs(release, release.inputs, own, session));
  const context = await contextOf(release.namespace);
  const opener = { identities, passphrase };
  const prepared = await prepareRelease(release, { plan, inputs, opener, allowed: allow });
  await checkRelease(prepared, context);
  const result = await applyRelease(prepared, context);
  return {
    action: plannedAction(release),
    release: result.release && releaseForPrograms(result.release),
    warnings: result.warnings.map((text) => secretsOf(options).redact(text)),
  };
}
