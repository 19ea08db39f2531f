import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { diffDecided } from '../actions/diff.ts';
import type { ValueOptions } from '../chart/value-options.ts';
import type { ExecutionEvent } from '../execute/events.ts';
import { writeJson } from '../go/json/json.ts';
import { goPathError } from '../go/path-error.ts';
import type { Plan } from '../plan/types.ts';
import { applyRelease, checkRelease, prepareRelease } from '../saved-plan/apply.ts';
import { decideChange } from '../saved-plan/decide.ts';
import { checkUsable, planFileText, readPlanFile } from '../saved-plan/file.ts';
import { judged } from '../saved-plan/judge.ts';
import { planner } from '../saved-plan/planner.ts';
import { randomWarnings, savedPlan, savedRelease } from '../saved-plan/save.ts';
import type { Key } from '../saved-plan/seal.ts';
import type { SavedInputs, SavedPlan, SavedRelease } from '../saved-plan/types.ts';
import { reviewOf } from '../show/changes/review.ts';
import { messageOf, TshelmError } from '../support/errors.ts';
import { outside } from '../support/outside.ts';
import { writePrivateFile } from '../support/private-file.ts';
import { toldEvent } from './operation.ts';
import { checkShape, listOfTexts, number, refused, type Shape, text } from './option-checks.ts';
import type { ApplyOptions, ApplyResult, ChartReference, PlanFile, PlanOptions } from './options.ts';
import { releaseForPrograms } from './release.ts';
import { toldWith } from './secrets.ts';
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
      'a plan that is saved names its chart: give a folder, an archive or a URL, not a loaded chart',
    );
  if (options.postRenderer !== undefined)
    throw refused('postRenderer', 'a plan with a function as its postRenderer cannot be saved');
  const given = valueTexts(options);
  const chart = {
    reference,
    access: accessOf(options),
    chart: await session.chart(reference, options),
    given,
    values: await session.values({ ...options, ...noValues, ...textsOf(given) }),
  };
  const own = { ...actionOptions(options), wait, ...(action === 'upgrade' && { install: options.install ?? true }) };
  const context = await session.readContext(options);
  const change = await decideChange({ action, name, options: own, chart }, context);
  const review = reviewOf(await diffDecided(change.decided, { ...own, name }, context));
  judged(review);
  const release = await savedRelease(change, { review, key, context });
  const { file, expiresInMs = weekMs } = save;
  const createdBy = planner(session.environment);
  const plan = savedPlan([release], { now: session.clock.now(), createdBy, expiresInMs });
  writePrivateFile(resolve(file), planFileText(plan, save.signKey));
  const random = key === undefined ? await randomWarnings(change) : [];
  return { ...change.decided.plan, warnings: [...change.decided.plan.warnings, ...random] };
}

function keyOf(save: PlanFile): Key | undefined {
  checkShape(save, saveShape, 'save.');
  const { encryptTo = [], file, passphrase } = save;
  if (file === undefined || file === '') throw refused('save.file', 'save needs the option file: a path');
  if (encryptTo.length > 0 && passphrase !== undefined)
    throw refused('save.passphrase', 'save: give one of encryptTo and passphrase, not both');
  if (encryptTo.length > 0) return { kind: 'recipients', recipients: encryptTo };
  return passphrase === undefined ? undefined : { kind: 'passphrase', passphrase };
}

const noValues = {
  values: undefined,
  valueFiles: undefined,
  set: undefined,
  setString: undefined,
  setJson: undefined,
  setFile: undefined,
  setLiteral: undefined,
} satisfies Record<keyof ValuesOptions, undefined>;

/** Values as the flags of the command line, which a file keeps. Errors: `bad-options`. */
function valueTexts({
  values,
  valueFiles,
  set,
  setString,
  setJson = [],
  setFile,
  setLiteral,
}: ValuesOptions): ValueOptions {
  if (values !== undefined && hasInteger(values))
    throw refused(
      'values',
      "a plan with a bigint in values cannot be saved; give it as text: set: ['id=9007199254740993']",
    );
  const object = values === undefined ? [] : [writeJson(goValues(values))];
  return {
    valueFiles,
    jsonValues: [...object, ...setJson],
    values: set,
    stringValues: setString,
    fileValues: setFile,
    literalValues: setLiteral,
  };
}

const hasInteger = (value: Value | undefined): boolean =>
  typeof value === 'bigint' || (typeof value === 'object' && value !== null && Object.values(value).some(hasInteger));

const textsOf = (given: ValueOptions): ValuesOptions => ({
  valueFiles: given.valueFiles,
  setJson: given.jsonValues,
  set: given.values,
  setString: given.stringValues,
  setFile: given.fileValues,
  setLiteral: given.literalValues,
});

const accessNames = ['version', 'devel', 'repoUrl', 'verify', 'keyring', 'caFile', 'certFile', 'keyFile'] as const;
const moreAccessNames = ['insecureSkipTlsVerify', 'plainHttp', 'passCredentialsAll', 'username', 'password'] as const;
const ofTheCall = [
  'namespace',
  'signal',
  'secrets',
  'save',
  'action',
  'postRenderStrategy',
  'kubeVersion',
  'apiVersions',
];

const accessOf = (options: PlanOptions): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(options).filter(([name]) => isAccess(name)));
const isAccess = (name: string): boolean => [...accessNames, ...moreAccessNames].some((one) => one === name);

/** What is left for the action itself. */
const actionOptions = (options: PlanOptions): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(options).filter(([name]) => !isAccess(name) && !(name in noValues) && !ofTheCall.includes(name)),
  );

/** Carries out the plan of a file. Errors: those of `tshelm apply`. */
export async function applied(
  file: string,
  options: ApplyOptions & { readonly signal: AbortSignal },
  tell: (event: ExecutionEvent) => void,
  session: Session,
): Promise<ApplyResult> {
  const plan = await readPlan(file, options.verifyKeys);
  checkUsable(plan, session.clock.now());
  const [release] = plan.releases;
  if (plan.stack !== undefined || release === undefined || plan.releases.length > 1)
    throw unusable(file, 'it is the plan of a stack, which the command line applies');
  const program = release.inputs?.postRenderer?.command;
  if (program !== undefined)
    throw unusable(file, `it has the program ${program} as its post-renderer, which the command line starts`);
  const { allow = [], identities, passphrase } = options;
  const own = { ...options, namespace: release.namespace };
  const inputs = release.inputs && (await loadedInputs(release, release.inputs, own, session));
  const context = await session.context(own, (event) => tell(toldEvent(event)));
  const opener = { identities, passphrase };
  const prepared = await outside(prepareRelease(release, { plan, inputs, opener, allowed: allow }));
  await checkRelease(prepared, context);
  const result = await applyRelease(prepared, context);
  return {
    action: release.action,
    release: result.release && releaseForPrograms(result.release),
    warnings: result.warnings.map(toldWith(secretsOf(options))),
  };
}

async function readPlan(file: string, verifyKeys: readonly string[] | undefined): Promise<SavedPlan> {
  try {
    return readPlanFile(await readFile(file, 'utf8'), file, verifyKeys);
  } catch (cause) {
    if (cause instanceof TshelmError) throw cause;
    throw new TshelmError('plan-unusable', {
      message: messageOf(goPathError('open', file, cause)),
      details: { path: file },
      cause,
    });
  }
}

/** The chart as it is now; the values too, where the file does not have them. */
async function loadedInputs(
  { sealed }: SavedRelease,
  { reference, access, version, values: kept, leftOut }: SavedInputs,
  options: ApplyOptions,
  session: Session,
) {
  const given = valueTexts(options);
  const isGiven = Object.values(given).some((texts) => texts !== undefined && texts.length > 0);
  if (sealed === undefined && leftOut.length > 0 && !isGiven)
    throw refused(
      'values',
      'the file keeps no secrets: give the values that hold some again, as the plan was given them',
    );
  const names = [...new Set([...Object.keys(kept), ...Object.keys(given)])] as (keyof typeof given)[];
  const joined: ValueOptions = Object.fromEntries(
    names.map((name) => [name, [...(kept[name] ?? []), ...((given[name] as readonly string[] | undefined) ?? [])]]),
  );
  const values = sealed === undefined ? textsOf(joined) : {};
  const found = { ...access, version, ...options, ...noValues };
  return {
    chart: await outside(session.chart(reference, found)),
    values: await outside(session.values({ ...found, ...values })),
  };
}

const unusable = (path: string, why: string): TshelmError =>
  new TshelmError('plan-unusable', { message: `the plan ${path} cannot be used: ${why}`, details: { path } });
