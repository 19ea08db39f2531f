import { Command } from 'commander';
import { requireArguments } from '../arguments.ts';
import type { CliContext } from '../context.ts';
import type { FlagSpec } from '../flag-option.ts';
import { addFlags } from '../flags.ts';
import { helmVersion, tshelmVersion } from '../version.ts';

interface VersionFlags {
  readonly short?: boolean;
  readonly template?: string;
}

const versionFlags = {
  short: { type: 'bool', description: 'print the version number' },
  template: {
    type: 'string',
    description:
      "go template for the output: {{.Version}} is the Helm that is imitated, as scripts ask for, {{.TshelmVersion}} tshelm's own",
  },
} satisfies Record<string, FlagSpec>;

export const versionCommand = (context: CliContext): Command =>
  addFlags(new Command('version'), versionFlags)
    .description('print the tshelm version information')
    .argument('[none...]')
    .usage('[flags]')
    .action(async (words: string[], flags: VersionFlags, command: Command) => {
      requireArguments(command, words, { exactly: 0 });
      context.io.stdout.write(await versionText(flags));
    });

async function versionText({ short, template }: VersionFlags): Promise<string> {
  if (template) {
    const { goTemplateText } = await import('../output/go-template.ts');
    const { GoStruct } = await import('../../support/go-struct.ts');
    return goTemplateText(template, new GoStruct('version.BuildInfo', buildInfo));
  }
  const full = `tshelm ${tshelmVersion} (compatible with Helm ${helmVersion}; Node ${process.version})`;
  return `${short ? `v${tshelmVersion}` : full}\n`;
}

/** The fields of Helm's own, Go's empty, and what is to be told of tshelm. */
const buildInfo: readonly (readonly [string, string])[] = [
  ['Version', helmVersion],
  ['GitCommit', ''],
  ['GitTreeState', ''],
  ['GoVersion', ''],
  ['KubeClientVersion', ''],
  ['TshelmVersion', `v${tshelmVersion}`],
  ['NodeVersion', process.version],
];
