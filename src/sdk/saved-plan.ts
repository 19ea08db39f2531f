import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { accessFlags, secretRefsFlag } from '../actions/options/chart.ts';
import { installFlags } from '../actions/options/install.ts';
import { upgradeFlags } from '../actions/options/upgrade.ts';
import { optionsWithRows } from '../change/option-rows.ts';
import { joinedValues, type ValueFlags } from '../chart/value-options.ts';
import type { ExecutionEvent } from '../execute/events.ts';
import { writeJson } from '../go/json/json.ts';
import type { Plan } from '../plan/types.ts';
import { applyRelease, checkRelease, inputsToLoad, prepareRelease } from '../saved-plan/apply.ts';
import { decideChange } from '../saved-plan/decide.ts';
import { checkUsable, openPlanFile, unusable } from '../saved-plan/file.ts';
import { hasChangesUnlessRefused } from '../saved-plan/judge.ts';
import type { Key } from '../saved-plan/seal.ts';
import type { SavedInputs, SavedRelease } from '../saved-plan/types.ts';
import { changesOfPlan, savePlan } from '../session/saved-plan.ts';
import { awaitOutsideWork } from '../support/outside-work.ts';
import { eventForPrograms } from './operation.ts';
import { checkShape, listOfTexts, number, refused, type Shape, text } from './option-checks.ts';
import type { ApplyOptions, ApplyResult, ChartReference, PlanFile, PlanOptions } from './options.ts';
import { releaseForPrograms } from './release.ts';
import { type Session, secretsOf } from './session.ts';
import type { ValuesOptions } from './user-values.ts';
import { goValues, type Value } from './values.ts';

const weekMs = 7 * 24 * 60 * 60 * 1000;

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
  if (typeof reference !== 'string')
    throw refused(
      'save',
      'a saved plan records where its chart comes from: pass a folder, an archive or a URL, not a loaded chart',
    );
  if (options.postRenderer !== undefined)
    throw refused('postRenderer', 'a plan with a function as its postRenderer cannot be saved');
  const given = valueTexts(options);
  const chart = {
    reference,
    access: optionsWithRows({ ...accessFlags, ...secretRefsFlag }, options),
    chart: await session.chart(reference, options),
    given,
    values: await session.values({ ...options, values: undefined, ...given }),
  };
  const own =
    action === 'upgrade'
      ? { install: true, ...optionsWithRows(upgradeFlags, options), wait }
      : { ...optionsWithRows(installFlags, options), wait };
  const context = await session.readContext(options);
  const { remarks, ...change } = await decideChange({ action, name, options: own, chart }, context);
  for (const remark of remarks) context.onEvent?.(remark);
  const { outline, review, problems, changes } = await changesOfPlan(change, context);
  hasChangesUnlessRefused(outline, problems);
  const { file, expiresInMs = weekMs, signKey } = save;
  const target = { path: resolve(file), expiresInMs, key, signKey, env: session.environment, now: session.clock.now() };
  const { warnings } = await savePlan([{ change, review: review(), context }], target);
  return { ...change.decided.plan, changes, warnings: [...change.decided.plan.warnings, ...warnings] };
}

function keyOf(save: PlanFile): Key | undefined {
  checkShape(save, saveShape, 'save.');
  const { encryptTo = [], file, passphrase } = save;
  if (file === undefined || file === '') throw refused('save.file', 'save needs the option file, the path to save to');
  if (encryptTo.length > 0 && passphrase !== undefined)
    throw refused('save.passphrase', 'save: pass either encryptTo or passphrase, not both');
  if (encryptTo.length > 0) return { kind: 'recipients', recipients: encryptTo };
  return passphrase === undefined ? undefined : { kind: 'passphrase', passphrase };
}

/** Values as the flags of the command line, which a file keeps. Errors: `bad-options`. */
function valueTexts({ values, ...flags }: ValuesOptions): ValueFlags {
  if (values !== undefined && hasInteger(values))
    throw refused(
      'values',
      "a plan with a bigint in values cannot be saved; pass it as a string: set: ['id=9007199254740993']",
    );
  return joinedValues({ setJson: values === undefined ? [] : [writeJson(goValues(values))] }, flags);
}

const hasInteger = (value: Value | undefined): boolean =>
  typeof value === 'bigint' || (typeof value === 'object' && value !== null && Object.values(value).some(hasInteger));

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
  if (plan.stack !== undefined || release === undefined || plan.releases.length > 1)
    throw unusable(file, 'it is the plan of a stack or of a move; apply it with the command line (tshelm apply)');
  const program = release.inputs?.postRenderer?.command;
  if (program !== undefined)
    throw unusable(
      file,
      `it uses the program ${program} as its post-renderer; apply it with the command line (tshelm apply)`,
    );
  const { allow = [], identities, passphrase } = options;
  const own = { ...options, namespace: release.namespace };
  const inputs = release.inputs && (await loadedInputs(release, release.inputs, own, session));
  const context = await session.context(own, (event) => tell(eventForPrograms(event)));
  const opener = { identities, passphrase };
  const prepared = await prepareRelease(release, { plan, inputs, opener, allowed: allow });
  await checkRelease(prepared, context);
  const result = await applyRelease(prepared, context);
  return {
    action: release.action,
    release: result.release && releaseForPrograms(result.release),
    warnings: result.warnings.map((text) => secretsOf(options).redact(text)),
  };
}

/** The chart as it is now; the values too, where the file does not have them. */
async function loadedInputs(saved: SavedRelease, inputs: SavedInputs, options: ApplyOptions, session: Session) {
  const given = valueTexts(options);
  const isGiven = Object.values(given).some((texts = []) => texts.length > 0);
  if (saved.sealed === undefined && inputs.leftOut.length > 0 && !isGiven)
    throw refused(
      'values',
      'the file does not store secrets: pass the values that contain secrets again, as when the plan was made',
    );
  if (saved.sealed === undefined && inputs.access['secretRefs'] === true && options.secretRefs !== true)
    throw refused(
      'secretRefs',
      'the values of the plan have references to secrets: pass secretRefs: true to follow them',
    );
  const access = optionsWithRows(accessFlags, options);
  const { reference, access: found, values } = inputsToLoad(saved, inputs, { access, values: given });
  const call = { ...options, ...found };
  return {
    chart: await awaitOutsideWork(session.chart(reference, call)),
    values: await awaitOutsideWork(session.values({ ...call, values: undefined, ...joinedValues({}, values) })),
  };
}
