import { readdir } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { AskedCluster, ListOptions } from '../../cluster/types.ts';
import type { KubernetesObject } from '../../manifest/types.ts';
import { recordKindOf } from '../../release/drivers.ts';
import { type DetailsOf, hasCode } from '../../support/errors.ts';
import { nearest } from '../../support/near.ts';
import { compareText } from '../../support/order.ts';
import type { CliContext, CommandSession } from '../context.ts';
import { type Mark, markedCommand, markedDetail } from './line-role.ts';
import { nextCommand, nextPlainCommand } from './next-command.ts';
import { installCommand } from './next-steps.ts';

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
  if (hasCode(failure, 'cluster-unreachable')) return unreachableLines(failure.details.asked, session);
  if (hasCode(failure, 'chart-not-found')) return nearbyChart(failure.details.path);
  if (session === undefined) return [];
  if (hasCode(failure, 'revision-not-found')) return [await revisionFix(failure.details, session, context)];
  if (hasCode(failure, 'release-not-found')) return absentLines(failure.details.release, session, context);
  return hasCode(failure, 'no-deployed-releases') ? notDeployedLines(failure.details, session, context) : [];
}

function unreachableLines(asked: AskedCluster | undefined, session: CommandSession | undefined): readonly Line[] {
  if (session?.settings.sandboxDirectory !== undefined || asked === undefined) return [];
  const { context, files, server, isGuess } = asked;
  // What to name instead stands in the message.
  if (isGuess) return [tryIt];
  const named =
    context === undefined ? '' : `, context ${context}${files.length === 0 ? '' : ` of ${files.join(', ')}`}`;
  return [
    ['where', `${server}${named}`],
    [
      'fix',
      'check that the cluster runs and can be reached, or choose another one with --kube-context or --kubeconfig',
    ],
    tryIt,
  ];
}

/** A chart beside the path that was named, with a name like it. */
async function nearbyChart(path: string | undefined): Promise<readonly Line[]> {
  if (path === undefined) return [];
  // The folder may not exist either: then nothing is near.
  const names = await readdir(dirname(path)).catch((): string[] => []);
  const meant = nearest(basename(path), names);
  if (meant === undefined) return [];
  const folder = path.replace(/[^/]*\/*$/, '');
  return [['fix', `did you mean ${folder}${meant}?`]];
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

/** None where they cannot be had: why not says nothing about the failure that is told. */
async function recordsOf(session: CommandSession, where: ListOptions): Promise<readonly KubernetesObject[]> {
  try {
    const cluster = await session.cluster();
    return await cluster.list('v1', recordKindOf(session.settings.driver), {
      ...where,
      metadataOnly: true,
      signal: AbortSignal.timeout(patienceMs),
    });
  } catch {
    return [];
  }
}
