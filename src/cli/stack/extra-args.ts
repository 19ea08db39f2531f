import { Command } from 'commander';
import { valueFlags } from '../../actions/options/chart.ts';
import { showSecretsFlag } from '../../actions/options/readings.ts';
import { type UpgradeOptions, upgradeFlags } from '../../actions/options/upgrade.ts';
import type { TemplateOptions } from '../../actions/template.ts';
import { chartFlags } from '../../change/deploy/deploy-options.ts';
import { type FlagSpec, type FlagsOf, optionsOf } from '../../change/option-rows.ts';
import type { StackFile } from '../../stack/read-stack.ts';
import type { AddedValues } from '../../stack/release-values.ts';
import { messageOf, TshelmError } from '../../support/errors.ts';
import { normalizeArguments } from '../flags/argv.ts';
import { diffFlags } from '../flags/diff-flags.ts';
import { addFlags } from '../flags/flags.ts';
import { templateOptionFlags } from './show-flags.ts';

/** `helmDefaults.args` and its like: words for Helm's command lines. */
type Field = 'args' | 'diffArgs' | 'syncArgs' | 'templateArgs';

const deployFlags = { ...upgradeFlags, ...valueFlags };

/** What `syncArgs` and `args` say to an upgrade. Errors: `stack-invalid` with the line. */
export function extraUpgrade(file: StackFile): { options: Partial<UpgradeOptions> } & AddedValues {
  const sync = flagsIn(deployFlags, 'syncArgs', file);
  const all = flagsIn(deployFlags, 'args', file);
  return {
    options: { ...optionsOf(upgradeFlags, sync), ...optionsOf(upgradeFlags, all) },
    under: optionsOf(valueFlags, sync),
    over: optionsOf(valueFlags, all),
  };
}

const serverFlag = {
  'dry-run': { type: 'choice', choices: ['client', 'server'] as const, description: 'where it is rendered for' },
} satisfies Record<string, FlagSpec>;

const renderOptionFlags = { ...templateOptionFlags, 'enable-dns': chartFlags['enable-dns'] };
/** An install's flags are taken by Helm's `template` too, where they have no effect. */
const renderFlags = { ...chartFlags, ...renderOptionFlags, ...valueFlags, ...serverFlag };

/** What `templateArgs` and `args` say to a rendering. Errors: `stack-invalid` with the line. */
export function extraTemplate(
  file: StackFile,
): { options: Partial<TemplateOptions>; asksCluster: boolean } & AddedValues {
  const own = flagsIn(renderFlags, 'templateArgs', file);
  const all = flagsIn(renderFlags, 'args', file);
  return {
    options: { ...optionsOf(renderOptionFlags, own), ...optionsOf(renderOptionFlags, all) },
    asksCluster: (all.dryRun ?? own.dryRun) === 'server',
    under: optionsOf(valueFlags, own),
    over: optionsOf(valueFlags, all),
  };
}

/** Those of helm-diff that a comparison with the cluster has; the second half says what it does anyway. */
const comparingFlags = {
  context: diffFlags.context,
  ...showSecretsFlag,
  ...Object.fromEntries(
    ['color', 'no-color', 'normalize-manifests', 'server-side', 'suppress-secrets', 'three-way-merge'].map(
      (name) => [name, { type: 'bool', description: 'what every comparison does, or a flag of tshelm' }] as const,
    ),
  ),
  'dry-run': serverFlag['dry-run'],
} satisfies Record<string, FlagSpec>;

/** What `diffArgs` says to a comparison. Errors: `stack-invalid` with the line. */
export const extraDiff = (
  file: StackFile,
): { readonly context?: number | undefined; readonly showSecrets?: boolean | undefined } =>
  flagsIn(comparingFlags, 'diffArgs', file);

export const helmWords = { upgrade: extraUpgrade, template: extraTemplate, diff: extraDiff };

/** The flags among the words of a field; those that are not given are missing, whatever their defaults. */
function flagsIn<Specs extends Record<string, FlagSpec>>(specs: Specs, field: Field, file: StackFile): FlagsOf<Specs> {
  const lines = file.spec.helmDefaults?.[field] ?? [];
  const quiet = { writeErr: () => undefined, writeOut: () => undefined };
  const command = addFlags(new Command('helm'), specs).exitOverride().configureOutput(quiet);
  try {
    const words = lines.join(' ').split(' ');
    command.parse(
      normalizeArguments(
        command,
        words.filter((word) => word !== ''),
      ),
      { from: 'user' },
    );
  } catch (cause) {
    throw new TshelmError('stack-invalid', {
      message: `${file.locate({ field, part: 'helmDefaults' })}: helmDefaults.${field}: ${messageOf(cause)}`,
      details: { file: file.source },
      cause,
    });
  }
  const given = Object.entries(command.opts()).filter(([name]) => command.getOptionValueSource(name) === 'cli');
  return Object.fromEntries(given) as FlagsOf<Specs>;
}
