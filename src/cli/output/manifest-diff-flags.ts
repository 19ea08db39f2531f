import type { CompareOptions } from '../../actions/manifest-diff/compare.ts';
import type { EntryOptions } from '../../actions/manifest-diff/entries.ts';
import { boolOf, type FlagSpec, type FlagsOf } from '../../change/option-rows.ts';
import { TshelmError } from '../../support/errors.ts';
import type { CliContext } from '../context.ts';
import { type DiffFormat, diffFlags } from '../flags/diff-flags.ts';
import { exitCodeFlags, wantsExitCode } from '../flags/exit-code-flags.ts';
import type { GlobalFlags } from '../settings.ts';
import type { Io } from '../terminal/io.ts';

export type ManifestFormat = Exclude<DiffFormat, 'yaml' | 'markdown'>;

/** The flags that all commands of the helm-diff plugin have. */
export const manifestDiffFlags = {
  // Read by the program's own --color; here it may appear alone.
  color: {
    type: 'string',
    alone: 'always',
    placeholder: 'string[=always]',
    description: 'color output: never, auto or always (default $HELM_DIFF_COLOR, or what the terminal supports)',
  },
  context: {
    type: 'int',
    short: 'C',
    description: 'output NUM lines of context around changes (default $HELM_DIFF_OUTPUT_CONTEXT, or -1: everything)',
  },
  ...exitCodeFlags,
  // Scripts for the plugin have this name, and its help shows it.
  'detailed-exitcode': { ...exitCodeFlags['detailed-exitcode'], hidden: false },
  'find-renames': {
    type: 'choice',
    short: 'D',
    placeholder: 'float32',
    parse: shareOf,
    description:
      'treat a removed and an added object of the same kind as one renamed object if at most this share of lines differs',
  },
  'include-tests': { type: 'bool', description: 'enable the diffing of the helm test hooks' },
  'no-color': { type: 'bool', description: 'remove colors from the output' },
  'normalize-manifests': {
    type: 'bool',
    description: 'normalize manifests before running diff to exclude style differences from the output',
  },
  output: {
    ...diffFlags.output,
    description:
      'diff, simple, template (by the file $HELM_DIFF_TPL), json, structured or dyff (default $HELM_DIFF_OUTPUT, or diff)',
  },
  'show-secrets': { type: 'bool', description: 'do not redact secret values in the output' },
  'show-secrets-decoded': { type: 'bool', description: 'decode secret values in the output' },
  'strip-trailing-cr': { type: 'bool', description: 'strip trailing carriage return on input' },
  suppress: { type: 'stringArray', description: 'hide the changes of objects of this kind (can specify multiple)' },
  'suppress-output-line-regex': {
    type: 'stringArray',
    description: 'a regex to suppress diff output lines that match (can specify multiple)',
  },
  'suppress-secrets': { type: 'bool', short: 'q', description: 'suppress secrets in the output' },
} satisfies Record<string, FlagSpec>;

function shareOf(text: string): number {
  const share = Number(text);
  if (text.trim() !== '' && Number.isFinite(share)) return share;
  throw new Error(`strconv.ParseFloat: parsing ${JSON.stringify(text)}: invalid syntax`);
}

/** As in helm-diff, a word that it does not know in $HELM_DIFF_OUTPUT means its default. */
function formatOf(flag: DiffFormat | undefined, inEnvironment: string | undefined): ManifestFormat {
  if (flag === 'yaml' || flag === 'markdown') {
    const live = flag === 'markdown' ? ' (--live compares with the cluster, and has markdown)' : '';
    const message = `a comparison of manifests has no output format ${flag}; use one of: diff, simple, template, json, structured, dyff${live}`;
    throw new TshelmError('bad-flag', { message });
  }
  if (flag !== undefined) return flag;
  const known: readonly ManifestFormat[] = ['simple', 'template', 'json', 'structured', 'dyff'];
  return known.find((name) => name === inEnvironment?.trim()) ?? 'diff';
}

export type ManifestDiffFlags = GlobalFlags & FlagsOf<typeof manifestDiffFlags>;

/** What flags and HELM_DIFF_* variables say together; a flag wins. */
export interface ManifestDiffSettings {
  readonly format: ManifestFormat;
  /** Lines around a change; undefined shows everything. */
  readonly context: number | undefined;
  readonly isColored: boolean;
  readonly exitsWithChanges: boolean;
  readonly suppressedKinds: readonly string[];
  /** The file of the template form. */
  readonly templateFile: string | undefined;
  readonly compare: CompareOptions;
  readonly entries: Omit<EntryOptions, 'namespace'>;
}

export async function manifestDiffSettings(
  flags: ManifestDiffFlags,
  { io, secrets: words }: Pick<CliContext, 'io' | 'secrets'>,
): Promise<ManifestDiffSettings> {
  const { env } = io;
  const context = flags.context ?? Number.parseInt(env['HELM_DIFF_OUTPUT_CONTEXT'] || '-1', 10);
  return {
    format: formatOf(flags.output, env['HELM_DIFF_OUTPUT']),
    context: context >= 0 ? context : undefined,
    isColored: isColored(flags, io),
    exitsWithChanges: wantsExitCode(flags),
    suppressedKinds: [...(flags.suppress ?? []), ...(flags.suppressSecrets ? ['Secret'] : [])],
    templateFile: env['HELM_DIFF_TPL'],
    compare: {
      words,
      secrets: flags.showSecretsDecoded ? 'decoded' : flags.showSecrets ? 'as-is' : 'redacted',
      stripTrailingCr: flags.stripTrailingCr,
      findRenames: flags.findRenames,
      suppressLines: await lineFilters(flags.suppressOutputLineRegex ?? []),
    },
    entries: {
      includeTests: flags.includeTests,
      normalize: flags.normalizeManifests ?? isTrue(env['HELM_DIFF_NORMALIZE_MANIFESTS']),
    },
  };
}

/** helm-diff takes the word `true` alone. */
export const isTrue = (text: string | undefined): boolean => text === 'true';

function isColored({ color, noColor }: ManifestDiffFlags, { env, stdout }: Io): boolean {
  const inEnvironment = boolOf(env['HELM_DIFF_COLOR'] ?? '');
  if (noColor || color === 'never') return false;
  if (color === 'always') return true;
  return inEnvironment ?? (stdout.isTerminal && env['TERM'] !== 'dumb');
}

async function lineFilters(expressions: readonly string[]): Promise<readonly ((line: string) => boolean)[]> {
  if (expressions.length === 0) return [];
  const { compileRegexp } = await import('../../go/regexp.ts');
  return expressions.map((expression) => {
    try {
      const regexp = compileRegexp(expression);
      return (line: string) => regexp.matches(line);
    } catch (cause) {
      throw new TshelmError('bad-flag', { message: (cause as Error).message, cause });
    }
  });
}
