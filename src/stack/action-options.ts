import type { UninstallOptions } from '../actions/options/uninstall.ts';
import type { UpgradeOptions } from '../actions/options/upgrade.ts';
import type { TemplateOptions } from '../actions/template.ts';
import { immutableChoices, isImmutableChoice } from '../execute/replace-rules.ts';
import { TshelmError } from '../support/errors.ts';
import { fieldRulesOfRelease } from './field-rules.ts';
import type { StackFile } from './read-stack.ts';
import type { HelmDefaults, ReleaseSpec } from './schema.ts';

/** What a release and the state's defaults say to `template`. */
export function templateOptionsOf(
  release: ReleaseSpec,
  { spec }: StackFile,
): Pick<TemplateOptions, 'apiVersions' | 'kubeVersion' | 'enableDns' | 'skipSchemaValidation'> {
  const { enableDNS, skipSchemaValidation } = spec.helmDefaults ?? {};
  return {
    apiVersions: release.apiVersions,
    kubeVersion: release.kubeVersion,
    enableDns: release.enableDNS ?? enableDNS,
    skipSchemaValidation: release.skipSchemaValidation ?? skipSchemaValidation,
  };
}

/** As in helmfile, whose default is true. */
export const createsNamespace = ({ createNamespace }: ReleaseSpec, { spec: { helmDefaults } }: StackFile): boolean =>
  createNamespace ?? helmDefaults?.createNamespace ?? true;

/** What a release and the state's defaults say to `upgrade --install`. Errors: `stack-invalid`. */
export function upgradeOptionsOf(release: ReleaseSpec, file: StackFile): UpgradeOptions {
  const defaults = file.spec.helmDefaults ?? {};
  const either = <Name extends keyof ReleaseSpec & keyof HelmDefaults>(name: Name) => release[name] ?? defaults[name];
  const reuses = (release.reuseValues ?? defaults.reuseValues) === true;
  const [force, conflicts] = [either('force'), either('forceConflicts')];
  const [atomic, rollback] = [either('atomic'), either('rollbackOnFailure')];
  if (force && conflicts) throw exclusive(release, 'force', 'forceConflicts');
  if (atomic && rollback) throw exclusive(release, 'atomic', 'rollbackOnFailure');
  const isLabelled = (release.syncReleaseLabels ?? defaults.syncReleaseLabels) === true;
  return {
    name: release.name ?? '',
    install: true,
    createNamespace: createsNamespace(release, file),
    wait: waitOf(release, defaults),
    waitForJobs: release.waitForJobs ?? defaults.waitForJobs,
    timeoutMs: (release.timeout || defaults.timeout || 300) * 1000,
    forceReplace: force === true,
    forceConflicts: conflicts === true,
    onImmutable: onImmutableOf(release, defaults),
    takeFields: fieldRulesOfRelease(release, file),
    rollbackOnFailure: (atomic ?? rollback) === true || rollback === true,
    cleanupOnFail: release.cleanupOnFail ?? defaults.cleanupOnFail,
    maxHistory: release.historyMax ?? defaults.historyMax ?? 10,
    skipCrds: defaults.skipCRDs,
    reuseValues: reuses,
    resetValues: !reuses,
    description: release.description,
    labels: isLabelled ? Object.fromEntries(release.labels ?? []) : undefined,
    takeOwnership: release.takeOwnership ?? defaults.takeOwnership,
    serverSide: serverSideOf(release.serverSide ?? defaults.serverSide, file),
    skipSchemaValidation: release.skipSchemaValidation ?? defaults.skipSchemaValidation,
    disableOpenapiValidation: release.disableOpenAPIValidation ?? defaults.disableOpenAPIValidation,
    enableDns: release.enableDNS ?? defaults.enableDNS,
  };
}

const exclusive = ({ name = '' }: ReleaseSpec, one: string, other: string): TshelmError =>
  new TshelmError('stack-invalid', {
    message: `release ${name}: ${one} and ${other} are mutually exclusive (check both releases[].${one}/${other} and helmDefaults.${one}/${other})`,
  });

/** What a release says goes before what all are told. Errors: `stack-invalid`. */
function onImmutableOf(release: ReleaseSpec, defaults: HelmDefaults): NonNullable<UpgradeOptions['onImmutable']> {
  const rules = Object.entries({ ...fieldsOf(defaults.onImmutable), ...fieldsOf(release.onImmutable) });
  const chosen = rules.map(([name, choice]) => {
    if (isImmutableChoice(choice)) return [name, choice] as const;
    throw new TshelmError('stack-invalid', {
      message: `release ${release.name ?? ''}: onImmutable: ${name}: ${JSON.stringify(choice)} is not one of ${immutableChoices.join(', ')}`,
    });
  });
  return Object.fromEntries(chosen);
}

const fieldsOf = (map: ReadonlyMap<string, string> | undefined): Readonly<Record<string, string>> =>
  Object.fromEntries(map ?? []);

function waitOf(release: ReleaseSpec, defaults: HelmDefaults): UpgradeOptions['wait'] {
  if (!(release.wait ?? defaults.wait ?? false)) return undefined;
  return (release.trackMode ?? defaults.trackMode) === 'helm-legacy' ? 'legacy' : 'watcher';
}

function serverSideOf(text: string | undefined, { source }: StackFile): UpgradeOptions['serverSide'] {
  if (text === undefined || text === 'true' || text === 'false' || text === 'auto') return text;
  throw new TshelmError('stack-invalid', {
    message: `${source}: serverSide "${text}" must be "true", "false", or "auto"`,
    details: { file: source },
  });
}

/** What a release and the state's defaults say to `uninstall`. */
export function uninstallOptionsOf(release: ReleaseSpec, { spec }: StackFile): UninstallOptions {
  const defaults = spec.helmDefaults ?? {};
  const waits = release.deleteWait ?? defaults.deleteWait ?? false;
  return {
    name: release.name ?? '',
    ignoreNotFound: true,
    wait: waits ? 'watcher' : undefined,
    timeoutMs: (release.deleteTimeout || defaults.deleteTimeout || 300) * 1000,
    cascade: cascadeOf(release.cascade ?? defaults.cascade),
  };
}

const cascadeOf = (text: string | undefined): UninstallOptions['cascade'] =>
  text === 'foreground' || text === 'orphan' || text === 'background' ? text : undefined;
