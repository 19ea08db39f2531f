import {
  anyList,
  bool,
  boolPointer,
  type DataOf,
  type FieldType,
  filledTexts,
  ignored,
  int,
  intPointer,
  listOf,
  mapOf,
  misplaced,
  structOf,
  text,
  textMap,
  textPointer,
  texts,
  verify,
  verifyPointer,
  writtenBool,
  writtenInt,
  writtenText,
  writtenTexts,
  writtenVerify,
} from './fields.ts';
import { inheritNames, inherits, order, subHelmfile } from './special-fields.ts';

/** The structs of helmfile 1.8 (pkg/state, pkg/event), in the order in which it writes their fields. */

const missingFileHandlerConfig = structOf('state.MissingFileHandlerConfig', { ignoreMissingGitBranch: bool });

const hookFields = {
  name: writtenText,
  events: writtenTexts,
  command: writtenText,
  kubectlApply: textMap,
  args: writtenTexts,
  showlogs: writtenBool,
};
export type HookSpec = DataOf<typeof hookFields>;
const hooks = listOf(structOf('event.Hook', hookFields));

const setValueFields = { name: text, value: text, file: text, values: anyList };
export type SetValue = DataOf<typeof setValueFields>;
const setValues = listOf(structOf('state.SetValue', setValueFields));

const dependency = structOf('state.Dependency', { chart: writtenText, version: writtenText, alias: writtenText });

const trackResource = structOf('state.TrackResourceSpec', { kind: text, name: text, namespace: text });

/** What helmfile does not have: what happens to objects that cannot be changed in place, by `Kind/name`, `Kind/*` or `*`. */
const onImmutable = textMap;

const healthCheck = structOf('tshelm.HealthCheck', {
  apiVersion: text,
  kind: text,
  current: text,
  inProgress: text,
  failed: text,
});
/** What helmfile does not have: how the objects of a release are judged. */
const health = listOf(healthCheck);

/** What helmfile does not have: who must have signed a chart with `verify: sigstore`, as in a trust policy. */
const signedBy = structOf('tshelm.Signer', {
  key: text,
  certificateIdentity: text,
  certificateIdentityRegexp: text,
  certificateOidcIssuer: text,
  certificateOidcIssuerRegexp: text,
  trustedRoot: text,
  insecureIgnoreTlog: bool,
});

export const releaseFields = {
  chart: text,
  chartPath: text,
  directory: text,
  version: text,
  verify: verifyPointer,
  keyring: text,
  enableDNS: boolPointer,
  devel: boolPointer,
  wait: boolPointer,
  waitRetries: intPointer,
  waitForJobs: boolPointer,
  timeout: intPointer,
  recreatePods: boolPointer,
  force: boolPointer,
  installed: boolPointer,
  updateStrategy: text,
  atomic: boolPointer,
  rollbackOnFailure: boolPointer,
  cleanupOnFail: boolPointer,
  forceConflicts: boolPointer,
  historyMax: intPointer,
  condition: text,
  createNamespace: boolPointer,
  reuseValues: boolPointer,
  disableOpenAPIValidation: boolPointer,
  disableValidation: boolPointer,
  disableValidationOnInstall: boolPointer,
  missingFileHandler: textPointer,
  missingFileHandlerConfig,
  needs: texts,
  hooks,
  unitTests: texts,
  name: text,
  description: text,
  namespace: text,
  labels: textMap,
  values: anyList,
  secrets: anyList,
  set: setValues,
  setString: setValues,
  valuesTemplate: anyList,
  setTemplate: setValues,
  apiVersions: texts,
  kubeVersion: text,
  env: setValues,
  valuesPathPrefix: text,
  kubeContext: text,
  insecureSkipTLSVerify: bool,
  plainHttp: bool,
  verifyTemplate: textPointer,
  waitTemplate: textPointer,
  installedTemplate: textPointer,
  conditionTemplate: textPointer,
  dependencies: listOf(dependency),
  jsonPatches: anyList,
  strategicMergePatches: anyList,
  transformers: anyList,
  adopt: texts,
  forceGoGetter: bool,
  forceNamespace: text,
  skipDeps: boolPointer,
  skipRefresh: boolPointer,
  resolveOCIVersions: boolPointer,
  postRenderer: textPointer,
  skipSchemaValidation: boolPointer,
  postRendererArgs: texts,
  cascade: textPointer,
  suppressOutputLineRegex: texts,
  disableAutoDetectedKubeVersionForDiff: boolPointer,
  inherit: inherits,
  suppressDiff: boolPointer,
  deleteWait: boolPointer,
  deleteTimeout: intPointer,
  syncReleaseLabels: boolPointer,
  takeOwnership: boolPointer,
  serverSide: textPointer,
  trackMode: text,
  trackTimeout: intPointer,
  trackLogs: boolPointer,
  trackFailedLogs: boolPointer,
  helmStuckGrace: intPointer,
  trackKinds: texts,
  skipKinds: texts,
  trackResources: listOf(trackResource),
  kubedogQPS: intPointer,
  kubedogBurst: intPointer,
  trackFailOnError: boolPointer,
  health,
  // Which helmfile does not have either.
  order,
  onImmutable,
  signedBy,
  fields: anyList,
  moved: misplaced('moved belongs to the file, beside releases'),
};
export type ReleaseSpec = DataOf<typeof releaseFields>;
const releaseType: FieldType<ReleaseSpec> = structOf('state.ReleaseSpec', releaseFields);

export const helmDefaultsFields = {
  kubeContext: text,
  args: texts,
  diffArgs: texts,
  syncArgs: texts,
  templateArgs: texts,
  verify: writtenVerify,
  keyring: text,
  enableDNS: writtenBool,
  skipSchemaValidation: boolPointer,
  devel: writtenBool,
  wait: writtenBool,
  waitRetries: writtenInt,
  waitForJobs: writtenBool,
  timeout: writtenInt,
  recreatePods: writtenBool,
  force: writtenBool,
  atomic: writtenBool,
  rollbackOnFailure: writtenBool,
  cleanupOnFail: bool,
  forceConflicts: writtenBool,
  historyMax: intPointer,
  createNamespace: boolPointer,
  skipCRDs: bool,
  skipDeps: writtenBool,
  skipRefresh: writtenBool,
  resolveOCIVersions: boolPointer,
  reuseValues: writtenBool,
  postRenderer: textPointer,
  postRendererArgs: texts,
  cascade: textPointer,
  suppressOutputLineRegex: texts,
  disableAutoDetectedKubeVersionForDiff: boolPointer,
  disableValidation: boolPointer,
  disableOpenAPIValidation: boolPointer,
  insecureSkipTLSVerify: bool,
  plainHttp: bool,
  deleteWait: bool,
  deleteTimeout: int,
  syncReleaseLabels: boolPointer,
  takeOwnership: boolPointer,
  serverSide: textPointer,
  trackMode: text,
  helmStuckGrace: int,
  // What helmfile does not have.
  onImmutable,
  signedBy,
};
export type HelmDefaults = DataOf<typeof helmDefaultsFields>;

const repositoryFields = {
  name: text,
  url: text,
  caFile: text,
  certFile: text,
  keyFile: text,
  username: text,
  password: text,
  registryConfig: text,
  managed: text,
  oci: bool,
  verify,
  keyring: text,
  passCredentials: bool,
  skipTLSVerify: bool,
  plainHttp: bool,
  signedBy,
};
export type RepositorySpec = DataOf<typeof repositoryFields>;

const environmentFields = {
  values: anyList,
  secrets: texts,
  kubeContext: text,
  missingFileHandler: textPointer,
  missingFileHandlerConfig,
  mergeStrategy: text,
};
export type EnvironmentSpec = DataOf<typeof environmentFields>;

const llm = structOf('llm.Config', {
  baseURL: text,
  apiKey: text,
  model: text,
  timeout: text,
  maxTokens: int,
  temperature: text,
});

const alwaysWritten = <T>(type: FieldType<T>): FieldType<T> => ({ ...type, zero: new Map() });

const moveFields = { from: text, to: text, objects: filledTexts };
/** Which helmfile does not have: a release that had another name, or objects that another release had. */
export type MoveSpec = DataOf<typeof moveFields>;
const moves = listOf(structOf('state.MoveSpec', moveFields), () => ({}));
/** An entry that lists no objects moves nothing, and is not one that renames a release. */
const moved: FieldType<readonly MoveSpec[]> = {
  ...moves,
  read: (node, complain) => moves.read(node, complain)?.filter(({ objects }) => objects?.length !== 0),
};

export const stateFields = {
  filepath: text,
  helmBinary: text,
  kustomizeBinary: text,
  values: anyList,
  environments: mapOf(structOf('state.EnvironmentSpec', environmentFields), () => ({})),
  bases: texts,
  helmDefaults: structOf('state.HelmSpec', helmDefaultsFields),
  helmfiles: listOf(subHelmfile, () => ({})),
  kubeContext: text,
  namespace: text,
  chart: text,
  repositories: listOf(structOf('state.RepositorySpec', repositoryFields), () => ({})),
  commonLabels: textMap,
  releases: listOf(releaseType, () => ({})),
  llm,
  apiVersions: texts,
  kubeVersion: text,
  hooks,
  templates: alwaysWritten(mapOf(structOf('state.TemplateSpec', releaseFields), () => ({}))),
  defaultInherit: inheritNames,
  missingFileHandler: textPointer,
  missingFileHandlerConfig,
  lockFilePath: text,
  health,
  moved,
  fields: anyList,
  trustPolicy: text,
  // Of what `build` and `fetch --write-output` print.
  renderedvalues: ignored,
};
/** What a state file says: helmfile's ReleaseSetSpec. */
export type StateSpec = DataOf<typeof stateFields>;
export const stateType: FieldType<StateSpec> = structOf('state.HelmState', stateFields);
