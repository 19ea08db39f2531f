import { Command } from 'commander';
import type { FlagSpec } from '../../change/option-rows.ts';
import { helmVersion, tshelmCommit, tshelmVersion } from '../../support/version.ts';
import type { CliContext } from '../context.ts';
import { flagCommand, type GivenFlags } from '../flags/flag-command.ts';

const versionFlags = {
  client: {
    type: 'bool',
    short: 'c',
    hidden: true,
    description: 'print the version of this program, which is the default (for compatibility with Helm 2)',
  },
  short: { type: 'bool', description: 'print the version number' },
  template: {
    type: 'string',
    description:
      "template for version string format: {{.Version}} is the compatible Helm version, as scripts expect, {{.TshelmVersion}} is tshelm's own",
  },
} satisfies Record<string, FlagSpec>;

export interface VersionRequest {
  readonly flags: GivenFlags<typeof versionFlags>;
}

/** `version`, in Helm's words: programs read from it whether this is a Helm that they can work with. */
export const command = (context: CliContext, run = runVersion): Command =>
  flagCommand('version', versionFlags, { usage: '[flags]', words: { exactly: 0 } }, (_words, flags) =>
    run({ flags }, context),
  ).description('print the helm version information');

async function runVersion({ flags }: VersionRequest, { io, settings }: CliContext): Promise<void> {
  io.stdout.write(await versionText(flags));
  // A report of a bug is copied from a terminal; programs look at standard output alone.
  if (settings(flags).debug || io.stderr.isTerminal) io.stderr.write(ownVersionText());
}

/** What `tshelm --version` prints. */
export const ownVersionText = (): string =>
  `tshelm ${tshelmVersion} (compatible with Helm ${helmVersion}; Node ${process.version})\n`;

/** Follows Helm's formatVersion: Go's `%#v` of version.BuildInfo, or the version and seven digits of the commit. */
async function versionText({ short, template }: VersionRequest['flags']): Promise<string> {
  if (template) {
    const { goTemplateText } = await import('../output/go-template.ts');
    const { GoStruct } = await import('../../go/struct.ts');
    return goTemplateText(template, new GoStruct('version.BuildInfo', [...buildInfo, ...ownInfo]));
  }
  if (short) return `${helmVersion}${tshelmCommit === '' ? '' : `+g${tshelmCommit.slice(0, 7)}`}\n`;
  return `version.BuildInfo{${buildInfo.map(([name, value]) => `${name}:${JSON.stringify(value)}`).join(', ')}}\n`;
}

/** The fields of Helm's own; the commit is the one that tshelm was built from. */
const buildInfo: readonly (readonly [string, string])[] = [
  ['Version', helmVersion],
  ['GitCommit', tshelmCommit],
  ['GitTreeState', tshelmCommit === '' ? '' : 'clean'],
  ['GoVersion', 'go1.26.8'],
  ['KubeClientVersion', 'v1.37'],
];

/** What only a template of `version` can ask for. */
const ownInfo: readonly (readonly [string, string])[] = [
  ['TshelmVersion', `v${tshelmVersion}`],
  ['NodeVersion', process.version],
];
