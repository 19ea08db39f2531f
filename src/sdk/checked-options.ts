import { accessFlags, capabilityFlags, secretRefsFlag, valueFlags } from '../actions/options/chart.ts';
import { checkFlags } from '../actions/options/check.ts';
import { installFlags } from '../actions/options/install.ts';
import { lintFlags } from '../actions/options/lint.ts';
import { adoptFlags, moveFlags, renameFlags } from '../actions/options/moves.ts';
import { driftFlags, getFlags, historyFlags, listFlags } from '../actions/options/readings.ts';
import { rollbackFlags } from '../actions/options/rollback.ts';
import { templateFlags } from '../actions/options/template.ts';
import { testFlags } from '../actions/options/test.ts';
import { uninstallFlags } from '../actions/options/uninstall.ts';
import { upgradeFlags } from '../actions/options/upgrade.ts';
import { sharedDrivers } from '../release/drivers.ts';
import { releaseStatuses } from '../release/types.ts';
import type { HelmFiles } from '../source/paths.ts';
import { planFlags } from '../stack/option-flags.ts';
import { isObject } from '../support/json.ts';
import { type ClusterOptions, GivenCluster } from './connection.ts';
import {
  type Check,
  checkShape,
  checkSigner,
  checksOf,
  clock,
  list,
  listOfTexts,
  must,
  numberByName,
  oneOf,
  pattern,
  plainObject,
  refused,
  run,
  type Shape,
  signal,
  someOf,
  text,
  variables,
  yesOrNo,
} from './option-checks.ts';
import type * as Options from './options.ts';
import type { PullOptions } from './sources.ts';
import type * as Stack from './stack/options.ts';

type CallOptions = Options.RenderOptions &
  Options.TemplateOptions &
  Options.InstallOptions &
  Options.UpgradeOptions &
  Options.RollbackOptions &
  Options.UninstallOptions &
  Options.TestOptions &
  Options.MoveOptions &
  Options.RenameOptions &
  Options.AdoptOptions &
  Options.PlanOptions &
  Options.ApplyOptions &
  Options.DiffOptions &
  Options.RollbackDiffOptions &
  Options.DriftOptions &
  Options.CheckOptions &
  Options.LintOptions &
  Options.ListOptions &
  Options.RevisionOptions &
  Options.HistoryOptions &
  Options.RehearseOptions &
  Options.SuggestOrderOptions &
  Stack.StackOptions &
  Omit<Stack.StackApplyOptions, 'rollbackOnFailure'> &
  Stack.StackPlanOptions &
  Stack.StackDestroyOptions &
  Stack.StackTemplateOptions &
  Stack.StackTestOptions &
  Stack.StackLintOptions &
  Stack.StackCheckOptions &
  Stack.StackRehearseOptions &
  Stack.StackDriftOptions &
  Stack.StackFixDriftOptions;

const isRollbackOnFailure = (value: unknown): boolean =>
  [true, false, 'release', 'stack'].includes(value as boolean | string);

const isChoiceOfObjects = (value: unknown): boolean =>
  typeof value === 'boolean' || [value].flat().every((one) => typeof one === 'string');

/** What `move` is given as an argument. */
const { to: _argument, ...moveOptionFlags } = moveFlags;

/** Those of actions as their flags say; a new option that has no flag does not compile until it is named here. */
const checks: Readonly<Record<keyof CallOptions, Check>> = {
  ...checksOf(installFlags),
  ...checksOf(upgradeFlags),
  ...checksOf(rollbackFlags),
  ...checksOf(uninstallFlags),
  ...checksOf(testFlags),
  ...checksOf(moveOptionFlags),
  ...checksOf(renameFlags),
  ...checksOf(adoptFlags),
  ...checksOf(accessFlags),
  ...checksOf(capabilityFlags),
  ...checksOf(checkFlags),
  ...checksOf(driftFlags),
  ...checksOf(getFlags),
  ...checksOf(historyFlags),
  ...checksOf(lintFlags),
  ...checksOf(listFlags),
  ...checksOf(planFlags),
  ...checksOf(templateFlags),
  ...checksOf(secretRefsFlag),
  ...checksOf(valueFlags),
  action: oneOf('install', 'upgrade'),
  allow: listOfTexts,
  assume: numberByName,
  clusters: plainObject,
  dryRun: oneOf('none', 'client', 'server', 'plan', true, false),
  environment: text,
  exclude: listOfTexts,
  fail: text,
  fromRun: text,
  file: text,
  folder: text,
  health: list,
  identities: listOfTexts,
  ignore: list,
  releaseKeys: listOfTexts,
  verifyKeys: listOfTexts,
  include: listOfTexts,
  keepObjects: must('true, false, a string or a list of strings', isChoiceOfObjects),
  live: yesOrNo,
  logs: must('true, false or a string', (value) => ['boolean', 'string'].includes(typeof value)),
  matching: pattern,
  name: text,
  onImmutable: plainObject,
  namespace: text,
  onWarning: run,
  passphrase: text,
  postRenderStrategy: oneOf('combined', 'separate', 'nohooks'),
  postRenderer: run,
  programs: yesOrNo,
  rollbackOnFailure: must('true or false, or for a stack: release or stack', isRollbackOnFailure),
  save: plainObject,
  selectors: listOfTexts,
  signal: signal,
  skipDeps: yesOrNo,
  stateValueFiles: listOfTexts,
  stateValues: plainObject,
  statuses: someOf(releaseStatuses),
  useCluster: yesOrNo,
  values: plainObject,
};

const pulling: Shape<Pick<PullOptions, 'destination' | 'untar' | 'provenance'>> = {
  destination: text,
  provenance: yesOrNo,
  untar: yesOrNo,
};

const ofTshelm: Shape<Options.TshelmOptions> = {
  clock,
  cluster: must(
    "an object such as { kubeconfig: path }, a sandbox's cluster, or the string 'environment'",
    (value) => value === 'environment' || isObject(value),
  ),
  driver: oneOf(...sharedDrivers),
  enableDns: yesOrNo,
  environment: variables,
  files: plainObject,
  locks: oneOf('leases', 'none'),
  namespace: text,
  network: plainObject,
  randomBytes: run,
  timeZone: text,
};

const ofFiles: Shape<HelmFiles> = {
  contentCache: text,
  registryConfig: text,
  repositoryCache: text,
  repositoryConfig: text,
};

const ofCluster: Shape<ClusterOptions> = {
  asGroups: listOfTexts,
  asUser: text,
  caFile: text,
  context: text,
  dial: run,
  insecureSkipTlsVerify: yesOrNo,
  kubeconfig: text,
  kubeconfigText: text,
  onWarning: run,
  server: text,
  tlsServerName: text,
  token: text,
};

/** Refuses what a type checker would refuse, for programs that have none, and what contradicts itself. Errors: `bad-options`. */
export function checkOptions(options: object): void {
  checkShape(options, checks);
  refuseContradictions(options);
  checkSigner(options);
}

/** The same for a stack, whose files may ask for signatures. */
export function checkStackOptions(options: Stack.StackOptions): void {
  checkShape(options, checks);
  if (options.verify !== undefined) checkSigner(options);
}

/** The same for `pull`, which has some of its own. */
export function checkPull(options: PullOptions): void {
  checkShape(options, { ...checks, ...pulling });
  checkSigner(options);
  if (options.destination === undefined)
    throw refused('destination', 'pull needs the option destination, the folder to download to');
}

/** The same for what `new Tshelm()` is given. */
export function checkTshelmOptions(options: Options.TshelmOptions): void {
  checkShape(options, ofTshelm, '', ofCluster);
  const { cluster, files, network } = options;
  checkShape(files ?? {}, ofFiles, 'files.');
  checkShape(network ?? {}, { offline: yesOrNo }, 'network.');
  if (cluster !== undefined && cluster !== 'environment' && !(cluster instanceof GivenCluster)) checkCluster(cluster);
}

function checkCluster(cluster: ClusterOptions): void {
  checkShape(cluster, ofCluster, 'cluster.');
  const ways = (['kubeconfig', 'kubeconfigText', 'server'] as const).filter((one) => cluster[one] !== undefined);
  if (ways.length > 1) throw refused(`cluster.${ways[1]}`, `cluster: give one of ${ways.join(' and ')}, not both`);
}

type Contradicting = Pick<
  Options.UpgradeOptions,
  | 'crds'
  | 'eager'
  | 'forceConflicts'
  | 'forceReplace'
  | 'health'
  | 'readinessTimeoutMs'
  | 'resetThenReuseValues'
  | 'resetValues'
  | 'reuseValues'
  | 'skipCrds'
  | 'timeoutMs'
  | 'wait'
>;

/** What options say together that they cannot say together, as of the flags of the command line. */
function refuseContradictions(options: Contradicting): void {
  const { crds, eager, health, readinessTimeoutMs, skipCrds, timeoutMs = 0, wait } = options;
  const values = (['resetValues', 'reuseValues', 'resetThenReuseValues'] as const).filter((one) => options[one]);
  if (values.length > 1) throw refused(values[1] ?? '', `${values.join(' and ')} cannot be used together`);
  if (options.forceReplace && options.forceConflicts)
    throw refused('forceReplace', 'forceReplace and forceConflicts cannot be used together');
  if (eager && wait !== undefined && wait !== 'ordered') throw refused('eager', "eager needs wait: 'ordered'");
  if (health !== undefined && (wait === 'hookOnly' || wait === 'legacy'))
    throw refused('health', "health needs wait: 'watcher' or 'ordered'");
  if (readinessTimeoutMs !== undefined && timeoutMs > 0 && readinessTimeoutMs > timeoutMs)
    throw refused(
      'readinessTimeoutMs',
      'readinessTimeoutMs must not be above timeoutMs, which limits every wait; raise timeoutMs too',
    );
  if (skipCrds && crds !== undefined && crds !== 'skip')
    throw refused('skipCrds', `skipCrds and crds: '${crds}' cannot be used together`);
}
