import { readdirSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { refusalIn } from '../../cluster/api-error.ts';
import type { KubeconfigFault, ListOptions } from '../../cluster/types.ts';
import { withoutTrailingSlashes } from '../../go/path.ts';
import { errnoOf } from '../../go/path-error.ts';
import type { KubernetesObject } from '../../manifest/types.ts';
import { recordKindOf } from '../../release/drivers.ts';
import { causesOf, type DetailsOf, hasCode, type TshelmError } from '../../support/errors.ts';
import { isNear, nearest } from '../../support/near.ts';
import { compareText } from '../../support/order.ts';
import { shellWord } from '../../support/text.ts';
import type { CliContext, CommandSession } from '../context.ts';
import { credentialFix } from '../credential-fix.ts';
import { type Mark, markedCommand, markedDetail } from './line-role.ts';
import { nextCommand, nextPlainCommand } from './next-command.ts';
import { installCommand } from './next-steps.ts';
import { isChart } from './swapped-arguments.ts';

/** A user who reads an error does not wait longer for more. */
const patienceMs = 3_000;

/**
 * Of a release, a revision or a cluster that was not found: where it was looked for, where it is, and the command that finds
 * it; '' of any other failure. Asks the cluster for the records of that name.
 */
export async function whereItIsText(failure: unknown, context: CliContext, mark: Mark): Promise<string> {
  const lines = await linesOf(failure, context);
  return lines.map(([label, text, command]) => `  ${lineText(mark, label, text, command)}\n`).join('');
}

const lineText = (mark: Mark, label: string, text: string, command: string | undefined): string =>
  command === undefined ? markedDetail(mark, label, text) : markedCommand(mark, label, `${text}:`, command);

type Line = readonly [label: 'where' | 'fix', text: string, command?: string];

async function linesOf(failure: unknown, context: CliContext): Promise<readonly Line[]> {
  const session = context.opened;
  if (hasCode(failure, 'cluster-unreachable')) return unreachableLines(failure.details, session);
  const refusal = refusalIn(failure);
  if (refusal?.status === 401) return unreachableLines(refusal, session);
  const named = hasCode(failure, 'chart-not-found', 'repository-unknown') ? namedChart(failure, context) : undefined;
  if (named !== undefined) return nearbyChart(named, context);
  if (hasCode(failure, 'values-unreadable')) return absentFile(failure, context);
  if (session === undefined) return [];
  if (hasCode(failure, 'revision-not-found')) return [await revisionFix(failure.details, session, context)];
  if (hasCode(failure, 'release-not-found')) return absentLines(failure.details.release, session, context);
  return hasCode(failure, 'no-deployed-releases') ? notDeployedLines(failure.details, session, context) : [];
}

function unreachableLines(
  {
    asked,
    kubeconfig,
  }: Pick<DetailsOf<'cluster-unreachable'>, 'asked'> & { readonly kubeconfig?: KubeconfigFault | undefined },
  session: CommandSession | undefined,
): readonly Line[] {
  if (kubeconfig !== undefined) return [...kubeconfigLines(kubeconfig), tryIt];
  if (session?.settings.sandboxDirectory !== undefined || asked === undefined) return [];
  const { context, files, server, isGuess, user } = asked;
  // What to name instead is in the message.
  if (isGuess) return [tryIt];
  const named =
    context === undefined ? '' : `, context ${context}${files.length === 0 ? '' : ` of ${files.join(', ')}`}`;
  if (user !== undefined) {
    const isGiven = Boolean(session?.settings.kube.token);
    const where = `${server}${named}${user.name === '' ? '' : `, user ${user.name}`}`;
    return [
      ['where', where],
      ['fix', credentialFix(user, { isGiven })],
    ];
  }
  return [
    ['where', `${server}${named}`],
    [
      'fix',
      'check that the cluster runs and can be reached, or choose another one with --kube-context or --kubeconfig',
    ],
    tryIt,
  ];
}

/** Of many contexts so many are named. */
const mostNames = 10;

function kubeconfigLines(fault: KubeconfigFault): readonly Line[] {
  if (fault.kind === 'absent') return [['fix', 'check the path, or name another kubeconfig with --kubeconfig']];
  if (fault.kind === 'unreadable')
    return [['fix', `correct ${fault.file}, or name another kubeconfig with --kubeconfig`]];
  const { files, known, name } = fault;
  const inFiles = files.length === 0 ? 'the kubeconfig' : files.join(', ');
  if (known.length === 0) return [['fix', `${inFiles} has no contexts: name another kubeconfig with --kubeconfig`]];
  const more = known.length > mostNames ? `, … (${known.length})` : '';
  const meant = nearest(name, known) ?? known[0] ?? '';
  return [
    [
      'where',
      `${inFiles} has the ${known.length === 1 ? 'context' : 'contexts'} ${known.slice(0, mostNames).join(', ')}${more}`,
    ],
    ['fix', `choose a context, for example with --kube-context=${shellWord(meant)}`],
  ];
}

/** A file of values that is not there: one with a name like it, or where it was looked for. */
async function absentFile(
  failure: TshelmError & { readonly details: DetailsOf<'values-unreadable'> },
  { io }: CliContext,
): Promise<readonly Line[]> {
  const { path } = failure.details;
  if (URL.canParse(path) || !causesOf(failure).some((cause) => errnoOf(cause) === 'ENOENT')) return [];
  const near = await nearbyPath(path);
  return near.length > 0 || isAbsolute(path) ? near : [['where', `looked for ${path} in ${io.cwd}`]];
}

/** A file or folder beside the path that was named, with a name like it. */
async function nearbyPath(path: string | undefined): Promise<readonly Line[]> {
  if (path === undefined) return [];
  // The folder may not exist either: then nothing is near.
  const names = await readdir(dirname(path)).catch((): string[] => []);
  const meant = nearest(basename(path), names);
  if (meant === undefined) return [];
  const folder = path.replace(/[^/]*\/*$/, '');
  return [['fix', `did you mean ${folder}${meant}?`]];
}

/** The path, or what may be one, of a chart that was not found. */
function namedChart(
  { details }: TshelmError & { readonly details: { path?: string; reference?: string; repository?: string } },
  { given }: CliContext,
): string | undefined {
  if (details.repository === undefined) return details.path ?? details.reference;
  return given?.words.find((word) => word.startsWith(`${details.repository}/`));
}

/** A chart beside the path that was named, with nearly its name. */
function nearbyChart(path: string, { io }: CliContext): readonly Line[] {
  const wanted = withoutTrailingSlashes(path);
  const folder = wanted.slice(0, wanted.length - basename(wanted).length);
  const here = resolve(io.cwd, folder);
  const charts = chartsIn(here);
  const near = charts.filter((name) => isNear(name, basename(wanted)));
  const meant = nearest(basename(wanted), charts) ?? (near.length === 1 ? near[0] : undefined);
  if (meant === undefined) return [];
  const isPlain = !isAbsolute(path) && !path.startsWith('.');
  return [['fix', `did you mean ${isPlain ? './' : ''}${folder}${meant}?`]];
}

function chartsIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => isChart(join(folder, name)));
  } catch {
    // The folder may not exist either: then nothing is near.
    return [];
  }
}

const tryIt: Line = ['fix', 'to try charts without a cluster, add --sandbox'];

async function revisionFix(
  { release, revisions }: DetailsOf<'revision-not-found'>,
  { namespace }: CommandSession,
  context: CliContext,
): Promise<Line> {
  const sorted = [...revisions].sort((a, b) => a - b);
  return sorted.length === 1
    ? ['fix', `${release} has only revision ${sorted[0]}`]
    : [
        'fix',
        `${release} has the revisions ${sorted.join(', ')}`,
        await nextCommand(['history', release], namespace, context),
      ];
}

async function absentLines(release: string, session: CommandSession, context: CliContext): Promise<readonly Line[]> {
  const { namespace } = session;
  const where: Line = ['where', `there is no release ${release} in namespace ${namespace}`];
  const others = await namespacesOf(release, session);
  if (others.length > 0) return [where, elsewhere(release, others)];
  const meant = nearest(release, await releaseNames(session));
  if (meant !== undefined) return [where, ['fix', `did you mean ${meant}?`]];
  return [where, ['fix', 'to see all releases', await nextPlainCommand(['list', '--all-namespaces'], context)]];
}

async function notDeployedLines(
  { release, remedies = [] }: DetailsOf<'no-deployed-releases'>,
  session: CommandSession,
  context: CliContext,
): Promise<readonly Line[]> {
  const { namespace } = session;
  const found = await namespacesOf(release, session);
  if (found.includes(namespace)) {
    const history = await nextCommand(['history', release], namespace, context);
    return [['fix', `no revision of ${release} is deployed; to see how they ended`, history]];
  }
  return [
    ['where', `there is no release ${release} in namespace ${namespace}`],
    ...(found.length > 0 ? [elsewhere(release, found)] : []),
    ...(remedies.length > 0
      ? []
      : [['fix', 'to install it', await installCommand(release, namespace, context)] as const]),
  ];
}

const elsewhere = (release: string, namespaces: readonly string[]): Line =>
  namespaces.length === 1
    ? ['fix', `${release} is in namespace ${namespaces[0]}: add -n ${namespaces[0]}`]
    : ['fix', `${release} is in the namespaces ${namespaces.join(', ')}: choose one with -n`];

/** Where there are records of a release, as far as the user may list them. */
async function namespacesOf(release: string, session: CommandSession): Promise<readonly string[]> {
  const records = await recordsOf(session, { labelSelector: `owner=helm,name=${release}` });
  return [...new Set(records.map(({ metadata }) => metadata.namespace ?? ''))].sort(compareText);
}

async function releaseNames(session: CommandSession): Promise<readonly string[]> {
  const records = await recordsOf(session, { labelSelector: 'owner=helm', namespace: session.namespace });
  return records.map(({ metadata }) => metadata.labels?.['name'] ?? '');
}

/** None where they cannot be had: why not says nothing about the failure that is reported. */
async function recordsOf(session: CommandSession, where: ListOptions): Promise<readonly KubernetesObject[]> {
  try {
    const kind = recordKindOf(session.settings.driver);
    if (kind === undefined) return [];
    const cluster = await session.cluster();
    return await cluster.list('v1', kind, {
      ...where,
      metadataOnly: true,
      signal: AbortSignal.timeout(patienceMs),
    });
  } catch {
    return [];
  }
}
