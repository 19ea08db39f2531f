import type { FlagSpec } from '../../../change/option-rows.ts';
import type { Level } from '../../../problem/level.ts';
import type { CliContext } from '../../context.ts';
import type { GivenFlags } from '../../flags/flag-command.ts';
import { formatFlag } from '../../flags/flags.ts';
import type { TextKind } from '../../terminal/io.ts';
import { type CheckedChart, isAtLeast, marksOf } from './checked.ts';

const formats = ['table', 'json', 'sarif', 'junit', 'github', 'gitlab', 'markdown'] as const;

export const checkOutputFlags = {
  ...formatFlag('output', formats, {
    sarif: 'for code scanning',
    github: 'annotations',
    gitlab: 'code quality',
    markdown: 'a comment for a pull request',
  }),
  'fail-on': {
    type: 'choice',
    placeholder: 'level',
    default: 'error',
    choices: ['error', 'warning', 'note', 'never'] as const,
    description: 'the lightest finding that makes the exit code 2: error, warning, note or never',
  },
  'ignore-file': {
    type: 'string',
    description: 'file with findings to leave out, a line each: CODE [KIND/NAME] # REASON (default CHART/.tshelmcheck)',
  },
} satisfies Record<string, FlagSpec>;

export const checkClusterFlag = {
  cluster: {
    type: 'bool',
    description:
      'check against the cluster too: dry-run each object, and look for everything that the release refers to',
  },
} satisfies Record<string, FlagSpec>;

export const checkObjectFlags = {
  crds: {
    type: 'strings',
    placeholder: 'paths',
    description: 'CRDs to check custom resources with, in addition to those of the chart: files, folders or charts',
  },
  policies: {
    type: 'strings',
    placeholder: 'paths',
    description:
      'ValidatingAdmissionPolicies, bindings and parameters to check objects against: files, folders or charts',
  },
} satisfies Record<string, FlagSpec>;

type OutputFlags = Pick<GivenFlags<typeof checkOutputFlags>, 'output' | 'failOn'>;

/** Prints what was found, with what Helm logs on stderr, and sets the exit code: 1 where a chart is not rendered, otherwise 2 where a finding fails. */
export async function tellChecked(
  checked: readonly CheckedChart[],
  flags: OutputFlags,
  context: CliContext,
): Promise<void> {
  const text = await outputText(checked, flags, context);
  context.io.stdout.write(context.secrets.redact(text), kinds[flags.output] ?? 'data');
  if (context.isSilent) await tellWarnings(checked, flags, context);
  const warnings = new Set(checked.flatMap(({ result }) => result.warnings));
  for (const warning of warnings) context.io.stderr.write(context.secrets.redact(`${warning}\n`));
  if (checked.some(({ result }) => !result.isRendered)) context.endWith(1);
  const findings = checked.flatMap(({ result }) => result.findings);
  if (findings.some(({ level }: { readonly level: Level }) => isAtLeast(level, flags.failOn))) context.endWith(2);
}

/** With --quiet what is no note goes to standard error. */
async function tellWarnings(checked: readonly CheckedChart[], flags: OutputFlags, context: CliContext): Promise<void> {
  const heavy = checked.map((chart) => {
    const findings = chart.result.findings.filter(({ level }) => isAtLeast(level, 'warning'));
    return { ...chart, result: { ...chart.result, findings } };
  });
  const wrong = heavy.filter(({ result }) => result.findings.length > 0);
  if (wrong.length > 0) context.io.stderr.write(context.secrets.redact(await outputText(wrong, flags, context)));
}

const kinds: { readonly [Format in OutputFlags['output']]?: TextKind } = { table: 'folded', github: 'control' };

async function outputText(
  checked: readonly CheckedChart[],
  { output, failOn }: OutputFlags,
  { io, secrets }: CliContext,
): Promise<string> {
  const surroundings = { ...io, secrets };
  const marks = () => checked.flatMap((chart) => marksOf(chart, surroundings));
  switch (output) {
    case 'table':
      return (await import('./text.ts')).checkText(checked);
    case 'json':
      return (await import('./json.ts')).checkJson(checked);
    case 'sarif':
      return (await import('./sarif.ts')).checkSarif(marks());
    case 'junit':
      return (await import('./junit.ts')).checkJunit(checked, { failOn, now: io.now(), secrets });
    case 'github':
      return (await import('./github.ts')).checkGithub(marks());
    case 'gitlab':
      return (await import('./gitlab.ts')).checkGitlab(marks());
    case 'markdown': {
      const { commentLimit } = await import('../../../show/changes/markdown.ts');
      const { checkMarkdown } = await import('./markdown.ts');
      const charts = checked.map((chart) => ({ chart, marks: marksOf(chart, surroundings) }));
      return checkMarkdown(charts, commentLimit(io.env));
    }
  }
}
