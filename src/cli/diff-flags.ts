import type { ReleaseDiff } from '../actions/comparison/object-diff.ts';
import { TshelmError } from '../support/errors.ts';
import type { CliContext } from './context.ts';
import type { FlagSpec } from './flag-option.ts';
import type { GlobalFlags } from './settings.ts';

/** The flags of every form of `diff`; the hidden ones are names that the helm-diff plugin has for them. */
export interface DiffFlags extends GlobalFlags {
  readonly context: number;
  readonly detailedExitcode?: boolean;
  readonly exitCode?: boolean;
  readonly output: 'diff' | 'json' | 'yaml';
  readonly showSecrets?: boolean;
}

const detailedExitCode = 'exit with code 2 when there are changes, 0 when there are none and 1 for a failure';

export const diffFlags = {
  context: {
    type: 'int',
    short: 'C',
    default: 3,
    description: 'lines to show around changes; -1 shows whole objects',
  },
  'detailed-exitcode': { type: 'bool', hidden: true, description: detailedExitCode },
  'exit-code': { type: 'bool', description: detailedExitCode },
  output: {
    type: 'choice',
    short: 'o',
    default: 'diff',
    placeholder: 'format',
    parse: outputFormat,
    description: 'prints the changes in the specified format. Allowed values: diff, json, yaml',
  },
  'show-secrets': {
    type: 'bool',
    description: 'show what Secrets hold; without it only whether a value changes',
  },
} satisfies Record<string, FlagSpec>;

function outputFormat(text: string): DiffFlags['output'] {
  if (text === 'diff' || text === 'json' || text === 'yaml') return text;
  throw new Error('must be one of: diff, json, yaml');
}

/** Prints what would change, then says by exit code whether it would, or fails where it would be refused. */
export async function writeDiff(diff: ReleaseDiff, flags: DiffFlags, context: CliContext): Promise<void> {
  const { hasChanges, refusedIn } = await import('../actions/comparison/object-diff.ts');
  for (const warning of diff.warnings) context.io.stderr.write(`${warning}\n`);
  context.io.stdout.write(await textOf(diff, flags, context));
  const refused = refusedIn(diff).length;
  if (refused > 0) {
    throw new TshelmError('diff-refused', {
      message: `the ${diff.action} would fail: ${refused} ${refused === 1 ? 'object' : 'objects'} would be refused (see "refused" above)`,
      details: { release: diff.release },
    });
  }
  if ((flags.exitCode || flags.detailedExitcode) && hasChanges(diff)) context.endWith(2);
}

async function textOf(diff: ReleaseDiff, flags: DiffFlags, context: CliContext): Promise<string> {
  if (flags.output !== 'diff') {
    const { diffData } = await import('./output/diff-data.ts');
    const { formatted } = await import('./output/format.ts');
    return formatted(diffData(diff), flags.output);
  }
  const { diffText, plainDiff } = await import('./output/diff-text.ts');
  const { color } = context.settings(flags);
  const isColored = color === 'always' || (color === 'auto' && context.io.stdout.isTerminal);
  const paint = isColored ? await coloredDiff() : plainDiff;
  return diffText(diff, { context: flags.context < 0 ? Number.POSITIVE_INFINITY : flags.context, paint });
}

async function coloredDiff() {
  const { colors } = await import('./colors.ts');
  return { added: colors.green, removed: colors.red, title: colors.yellow, place: colors.cyan };
}
