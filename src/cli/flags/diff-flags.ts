import type { ReleaseDiff } from '../../actions/comparison/object-diff.ts';
import type { ValuesDiff } from '../../actions/diff-values.ts';
import type { FlagSpec, FlagsOf } from '../../change/option-rows.ts';
import { TshelmError } from '../../support/errors.ts';
import type { CliContext } from '../context.ts';
import type { GlobalFlags } from '../settings.ts';
import { endWithChanges, exitCodeFlags } from './exit-code-flags.ts';

const formats = ['diff', 'json', 'yaml', 'markdown', 'simple', 'template', 'structured', 'dyff'] as const;

/** The flags of every form of `diff` but --show-secrets. */
export const diffFlags = {
  context: {
    type: 'int',
    short: 'C',
    description: 'lines to show around changes; -1 shows whole objects (default 3)',
  },
  ...exitCodeFlags,
  output: {
    type: 'choice',
    short: 'o',
    placeholder: 'format',
    choices: formats,
    description:
      'prints the changes in the specified format. Allowed values: diff, json, yaml, markdown (a comment for a pull request)',
  },
} satisfies Record<string, FlagSpec>;

export type DiffFlags = GlobalFlags & FlagsOf<typeof diffFlags>;

/** The forms of a comparison with the cluster are the first four; helm-diff's comparison of manifests has no YAML. */
export type DiffFormat = (typeof formats)[number];

/** How the values of a chart differ from those of the release, beside what changes in the cluster. */
export interface DiffBesideValues extends ReleaseDiff {
  readonly values?: ValuesDiff | undefined;
}

/**
 * Prints what would change, then says by exit code whether it would, or fails where it would be refused. `whole`: the
 * command that shows what does not fit into a comment.
 */
export async function writeDiff(
  diff: DiffBesideValues,
  flags: DiffFlags,
  whole: () => Promise<string>,
  context: CliContext,
): Promise<void> {
  const { hasChanges, refusedDiffs, refusedProblems } = await import('../../actions/comparison/object-diff.ts');
  for (const warning of diff.warnings.filter((text) => !diff.reportedWarnings.includes(text)))
    context.io.stderr.write(`${warning}\n`);
  context.io.stdout.write(
    await textOf(diff, flags, whole, context),
    flags.output === undefined || flags.output === 'diff' ? 'painted' : 'data',
  );
  const refused = refusedDiffs(diff).length;
  if (refused > 0) {
    throw new TshelmError('diff-refused', {
      message: `the ${diff.action} would fail: the API server would refuse ${refused} ${refused === 1 ? 'object' : 'objects'} (see "refused" above)`,
      details: { release: diff.release, problems: refusedProblems(diff) },
    });
  }
  endWithChanges(hasChanges(diff), flags, context);
}

const isLiveFormat = (format: DiffFormat): format is 'diff' | 'json' | 'yaml' | 'markdown' =>
  ['diff', 'json', 'yaml', 'markdown'].includes(format);

async function textOf(
  diff: DiffBesideValues,
  flags: DiffFlags,
  whole: () => Promise<string>,
  context: CliContext,
): Promise<string> {
  const { output = 'diff', context: around = 3 } = flags;
  if (!isLiveFormat(output)) {
    throw new TshelmError('bad-flag', {
      message: `a comparison with the cluster has no output format ${output}; use one of: diff, json, yaml, markdown`,
    });
  }
  const lines = around < 0 ? Number.POSITIVE_INFINITY : around;
  const values = diff.values && (await valuesForms(diff.values, diff));
  if (output === 'markdown') {
    const { reviewOf } = await import('../../show/changes/review.ts');
    const { commentLimit, reviewMarkdown } = await import('../../show/changes/markdown.ts');
    const review = reviewMarkdown([reviewOf(diff, lines)], commentLimit(context.io.env), await whole());
    return context.secrets.redact(values === undefined ? review : `${review}\n${values.markdown()}`);
  }
  if (output !== 'diff') {
    const { diffData } = await import('../../show/changes/diff-data.ts');
    const { formatted } = await import('../terminal/format.ts');
    return formatted({ ...diffData(diff), values: values?.data() }, output);
  }
  const text = await coloredDiffText(diff, flags, context, lines);
  return values === undefined ? text : `${context.secrets.redact(values.text())}\n${text}`;
}

/** The ways to show how values differ; loaded only where they are compared. */
async function valuesForms(values: ValuesDiff, release: ReleaseDiff) {
  const { valuesData, valuesMarkdown, valuesText } = await import('../../show/changes/values-text.ts');
  return {
    data: () => valuesData(values, release),
    markdown: () => valuesMarkdown(values, release),
    text: () => valuesText(values, release),
  };
}

/** The diff for a terminal, coloured where that is wanted. */
export async function coloredDiffText(
  diff: ReleaseDiff,
  flags: GlobalFlags,
  context: CliContext,
  lines = 3,
): Promise<string> {
  const { diffText, plainDiff } = await import('../../show/changes/diff-text.ts');
  const { color } = context.settings(flags);
  const isColored = color === 'always' || (color === 'auto' && context.io.stdout.isTerminal);
  return diffText(diff, { context: lines, paint: isColored ? await coloredDiff() : plainDiff });
}

async function coloredDiff() {
  const { colors } = await import('../terminal/colors.ts');
  return { added: colors.green, removed: colors.red, title: colors.yellow, place: colors.cyan };
}
