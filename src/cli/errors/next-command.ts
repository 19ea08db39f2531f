import { chartInputFlags } from '../../actions/options/chart.ts';
import { shellWord, splitOnce } from '../../support/text.ts';
import type { CliContext } from '../context.ts';
import { pathOf } from '../flags/arguments.ts';
import { flagTable } from '../flags/argv.ts';
import type { GlobalFlags } from '../settings.ts';
import { withoutValues } from './hidden-values.ts';

/** A command of tshelm as a shell takes it, for the cluster and the sandbox of the command that runs. */
export const nextCommand = async (words: readonly string[], namespace: string, context: CliContext): Promise<string> =>
  commandLine([...words, ...(await whereWords(namespace, context))]);

/** The flags that lead to the cluster, or the sandbox, and the namespace. */
export async function whereWords(namespace: string, context: CliContext): Promise<readonly string[]> {
  const given = givenFlags(context).filter(({ name }) => /^(?:kube|sandbox)/.test(name) && !isSecret(name));
  return [...given.map(({ text }) => text), ...(await namespaceWords(namespace, context))];
}

/** The same for what is of no namespace. */
export const nextPlainCommand = async (words: readonly string[], context: CliContext): Promise<string> =>
  nextCommand(words, await usualNamespace(context), context);

export interface GivenChart {
  readonly reference: string;
  /** What the command says of the chart and its values. */
  readonly flags: readonly string[];
  /** What is left out of `flags`, because a log would keep it. */
  readonly hidden: readonly string[];
}

/** The chart of the command that runs. */
export function givenChart(context: CliContext): GivenChart | undefined {
  const { given } = context;
  const reference = given?.words.at(-1);
  if (given === undefined || reference === undefined) return undefined;
  if (
    !['install', 'upgrade', 'plan', 'diff', 'dag', 'order', 'doctor'].includes(
      pathOf(given.command).split(' ')[0] ?? '',
    )
  )
    return undefined;
  const ofChart = repeatedFlags(context).filter(({ name }) => Object.hasOwn(chartInputFlags, name));
  return { reference, flags: shownFlags(ofChart), hidden: hiddenFlags(ofChart) };
}

/**
 * What of a flag is not shown, as it is named instead: what may be a password, and in a log, which is kept, every value:
 * templates may make a password of one whose name says nothing. What would be masked in part is hidden as a whole: what is
 * left of it no shell would take.
 */
function hiddenPart({ name, text }: GivenFlag, { io, secrets }: CliContext): string | undefined {
  const isMasked = isSecret(name) || secrets.redact(text) !== text;
  const isKept = !io.stderr.isTerminal;
  const isOfValues = /^set(?:-|$)/.test(name);
  const isKeptBack = isKept && (isOfValues || name === 'post-renderer-args');
  if (!isMasked && !isKeptBack) return undefined;
  return isOfValues ? withoutValues(text) : `--${name}`;
}

/**
 * The command that runs under another name, with its words and flags: `tshelm upgrade --install web ./web -f values.yaml`.
 */
export async function sameCommand(
  command: readonly string[],
  words: readonly string[],
  namespace: string,
  context: CliContext,
): Promise<string> {
  const line = commandLine([...command, ...words, ...(await sameFlags(namespace, context))]);
  return withHidden(line, hiddenFlags(repeatedFlags(context)));
}

interface FullForm {
  /** Another command, and the flags that it takes. */
  readonly command?: string;
  readonly flags?: Readonly<Record<string, unknown>>;
  readonly more?: readonly string[];
}

/** What shows in full what a comment leaves out: the command that runs, without what is saved and how it is shown. */
export async function fullCommand(context: CliContext, { command, flags, more = [] }: FullForm = {}): Promise<string> {
  const { given } = context;
  if (given === undefined) return commandLine([command ?? '', ...more]);
  const repeated = repeatedFlags(context).filter(
    ({ name }) => !ofFile.includes(name) && (flags === undefined || Object.hasOwn(flags, name)),
  );
  const { namespace } = given.command.optsWithGlobals<GlobalFlags>();
  const where = namespace === undefined ? [] : ['-n', namespace];
  const path = (command ?? pathOf(given.command)).split(' ');
  return withHidden(
    commandLine([...path, ...given.words, ...shownFlags(repeated), ...where, ...more]),
    hiddenFlags(repeated),
  );
}

const ofFile = [
  'output',
  'out',
  'expires-in',
  'sign-key',
  'encrypt-to',
  'passphrase-file',
  'exit-code',
  'detailed-exitcode',
  'diff',
];

/** No shell takes the line before it is completed. */
export const withHidden = (line: string, hidden: readonly string[]): string =>
  hidden.length === 0 ? line : `${line} (and ${hidden.join(', ')} as before)`;

/** The flags of the command that runs, as far as they are shown, and its namespace. */
export async function sameFlags(namespace: string, context: CliContext): Promise<readonly string[]> {
  return [...shownFlags(repeatedFlags(context)), ...(await namespaceWords(namespace, context))];
}

interface RepeatedFlag extends GivenFlag {
  /** What stands for it where it is not shown. */
  readonly hidden: string | undefined;
}

const repeatedFlags = (context: CliContext): readonly RepeatedFlag[] =>
  givenFlags(context)
    .filter(({ name }) => !isOfThisRun(name, context))
    .map((flag) => ({ ...flag, hidden: hiddenPart(flag, context) }));

const shownFlags = (flags: readonly RepeatedFlag[]): readonly string[] =>
  flags.flatMap(({ text, hidden }) => (hidden === undefined ? [text] : []));
const hiddenFlags = (flags: readonly RepeatedFlag[]): readonly string[] => [
  ...new Set(flags.flatMap(({ hidden }) => hidden ?? [])),
];

const commandLine = (words: readonly string[]): string => ['tshelm', ...words.map(shellWord)].join(' ');

interface GivenFlag {
  readonly name: string;
  /** As it is typed: `--wait`, `--values=a.yaml`. */
  readonly text: string;
}

function givenFlags({ given }: CliContext): readonly GivenFlag[] {
  if (given === undefined) return [];
  const known = flagTable(given.command);
  return given.flags.map((flag) => {
    const [name, value] = splitOnce(flag, '=');
    return { name: name.slice(2), text: known.get(name)?.alone === value ? name : flag };
  });
}

const isSecret = (name: string): boolean => ['kube-token', 'password'].includes(name);

/** What makes a run fail on purpose, what is said anew, and what only an install takes: --replace of an upgrade is another flag. */
function isOfThisRun(name: string, { given }: CliContext): boolean {
  if (['fail', 'resume', 'namespace'].includes(name)) return true;
  const isInstall = given !== undefined && pathOf(given.command) === 'install';
  return isInstall && ['generate-name', 'name-template', 'replace'].includes(name);
}

/** `-n shop`, where a command that names none would look in another one. */
const namespaceWords = async (namespace: string, context: CliContext): Promise<readonly string[]> =>
  namespace === (await usualNamespace(context)) ? [] : ['-n', namespace];

function usualNamespace(context: CliContext): Promise<string> {
  const { namespace: _, ...flags }: GlobalFlags = context.given?.command.optsWithGlobals() ?? {};
  return context.namespace(flags);
}
