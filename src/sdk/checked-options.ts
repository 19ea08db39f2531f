import { TshelmError } from '../support/errors.ts';
import type * as Options from './options.ts';
import type * as Stack from './stack/options.ts';

type CallOptions = Options.RenderOptions &
  Options.TemplateOptions &
  Options.InstallOptions &
  Options.UpgradeOptions &
  Options.RollbackOptions &
  Options.UninstallOptions &
  Options.TestOptions &
  Options.PlanOptions &
  Options.DiffOptions &
  Options.RollbackDiffOptions &
  Options.DriftOptions &
  Options.LintOptions &
  Options.ListOptions &
  Options.RevisionOptions &
  Options.HistoryOptions &
  Options.RehearseOptions &
  Stack.StackOptions &
  Omit<Stack.StackApplyOptions, 'rollbackOnFailure'> &
  Stack.StackPlanOptions &
  Stack.StackDestroyOptions &
  Stack.StackTemplateOptions &
  Stack.StackDriftOptions;

/** What a value must be; undefined where it is that. */
type Check = (value: unknown) => string | undefined;

const must =
  (what: string, isRight: (value: unknown) => boolean): Check =>
  (value) =>
    isRight(value) ? undefined : what;

const anything: Check = () => undefined;
const yesOrNo = must('true or false', (value) => typeof value === 'boolean');
const text = must('a string', (value) => typeof value === 'string');
const number = must('a number that is not negative', (value) => Number.isFinite(value) && (value as number) >= 0);
const signal = must('an AbortSignal', (value) => typeof (value as AbortSignal)?.throwIfAborted === 'function');
const listOfTexts = must(
  'an array of strings',
  (value) => Array.isArray(value) && value.every((one) => typeof one === 'string'),
);
const plainObject = must('a plain object', (value) => typeof value === 'object' && !Array.isArray(value));
const isWayBack = (value: unknown): boolean => [true, false, 'release', 'stack'].includes(value as boolean | string);
const oneOf = (...choices: readonly string[]): Check =>
  must(`one of ${choices.join(', ')}`, (value) => choices.includes(value as string));

const checks: Readonly<Record<keyof CallOptions, Check>> = {
  action: oneOf('install', 'upgrade'),
  allNamespaces: yesOrNo,
  apiVersions: anything,
  assume: anything,
  byDate: yesOrNo,
  caFile: text,
  cascade: oneOf('background', 'foreground', 'orphan'),
  certFile: text,
  cleanupOnFail: yesOrNo,
  clusters: plainObject,
  concurrency: number,
  crds: oneOf('skip', 'create', 'upgrade'),
  createNamespace: yesOrNo,
  deleteHooks: yesOrNo,
  description: text,
  devel: yesOrNo,
  disableOpenapiValidation: yesOrNo,
  dryRun: anything,
  eager: yesOrNo,
  environment: text,
  exclude: anything,
  fail: text,
  failFast: yesOrNo,
  file: text,
  fileOrder: yesOrNo,
  folder: text,
  forceConflicts: yesOrNo,
  forceReplace: yesOrNo,
  graceMs: number,
  hideSecret: yesOrNo,
  ignoreNotFound: yesOrNo,
  include: anything,
  includeCrds: yesOrNo,
  includeNeeds: yesOrNo,
  includeTransitiveNeeds: yesOrNo,
  insecureSkipTlsVerify: yesOrNo,
  install: yesOrNo,
  isUpgrade: yesOrNo,
  keepHistory: yesOrNo,
  keyFile: text,
  keyring: text,
  kubeVersion: text,
  labelSelector: text,
  labels: anything,
  limit: number,
  logs: anything,
  matching: anything,
  max: number,
  maxHistory: number,
  name: text,
  namespace: text,
  noHooks: yesOrNo,
  offset: number,
  onWarning: anything,
  passCredentialsAll: yesOrNo,
  password: text,
  plainHttp: yesOrNo,
  postRenderStrategy: oneOf('combined', 'separate', 'nohooks'),
  postRenderer: anything,
  programs: yesOrNo,
  preflight: oneOf('auto', 'always', 'never'),
  readinessTimeoutMs: number,
  renderSubchartNotes: yesOrNo,
  replace: yesOrNo,
  repoUrl: text,
  resetThenReuseValues: yesOrNo,
  resetValues: yesOrNo,
  resume: yesOrNo,
  reuseValues: yesOrNo,
  reverse: yesOrNo,
  revision: number,
  rollbackOnFailure: must('true, false or, of a stack, release or stack', isWayBack),
  selectors: listOfTexts,
  serverSide: anything,
  set: anything,
  setFile: anything,
  setJson: anything,
  setLiteral: anything,
  setString: anything,
  showOnly: anything,
  showSecrets: yesOrNo,
  signal: signal,
  skipCrds: yesOrNo,
  skipDeps: yesOrNo,
  skipNeeds: yesOrNo,
  skipSchemaValidation: yesOrNo,
  skipTests: yesOrNo,
  staleAfterMs: number,
  stateValueFiles: listOfTexts,
  stateValues: plainObject,
  statuses: anything,
  strict: yesOrNo,
  strictPlan: yesOrNo,
  takeOwnership: yesOrNo,
  timeoutMs: number,
  trimRecord: yesOrNo,
  useCluster: yesOrNo,
  username: text,
  valueFiles: anything,
  values: plainObject,
  verify: yesOrNo,
  version: text,
  wait: oneOf('hookOnly', 'watcher', 'legacy', 'ordered'),
  waitForJobs: yesOrNo,
  waitLockMs: number,
};

/**
 * Refuses what a type checker would refuse, for programs that have none: options that no call has, values of another
 * type. Errors: `bad-options`.
 */
export function checkOptions(options: object): void {
  for (const [name, value] of Object.entries(options)) {
    const check = Object.hasOwn(checks, name) ? checks[name as keyof CallOptions] : undefined;
    if (check === undefined) throw refused(`there is no option ${name}${hint(name)}`);
    const wanted = value === undefined || value === null ? undefined : check(value);
    if (wanted !== undefined) throw refused(`the option ${name} must be ${wanted}`);
  }
}

const refused = (message: string): TshelmError => new TshelmError('bad-options', { message });

/** An option that begins as this one does, or the other way around. */
function hint(name: string): string {
  const meant = Object.keys(checks).find((one) => one.startsWith(name) || name.startsWith(one));
  return meant === undefined ? '' : `; did you mean ${meant}?`;
}
