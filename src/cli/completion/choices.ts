import type { Context } from '../../change/context.ts';
import type { CliContext } from '../context.ts';
import { chartLabel } from '../output/release-text.ts';
import type { GlobalFlags } from '../settings.ts';
import { type Completions, directives, files, fixedChoices } from './directive.ts';

/** One question of a shell: the words are read as far as they are whole. */
export interface CompletionContext {
  /** The command by its names: `get all`. */
  readonly path: string;
  /** The arguments before the cursor, flags left out. */
  readonly args: readonly string[];
  /** The beginning of the word at the cursor. */
  readonly typed: string;
  readonly flags: GlobalFlags & Readonly<Record<string, unknown>>;
  readonly context: CliContext;
}

export type Completer = (completing: CompletionContext) => Completions | Promise<Completions>;

/** A user who presses Tab does not wait longer for a cluster. */
const patienceMs = 3_000;

/** Names of releases with their charts, without those that were given already. Follows Helm's compListReleases. */
export async function releases({ args, flags, context }: CompletionContext): Promise<Completions> {
  const { list } = await import('../../actions/list.ts');
  const found = await inTime(async () => list({}, await openCluster(flags, context)));
  if (found === undefined) return files;
  const wanted = found.filter(({ name }) => !args.includes(name));
  return fixedChoices(wanted.map((release) => `${release.name}\t${chartLabel(release)} -> ${release.info.status}`));
}

/** The revisions of the release that is named first. */
export async function revisions({ args, flags, context }: CompletionContext): Promise<Completions> {
  const { history } = await import('../../actions/history.ts');
  const name = args[0] ?? '';
  const found = await inTime(async () => history({ name }, await openCluster(flags, context)));
  if (found === undefined) return { choices: [] as const, directive: directives.error };
  return fixedChoices(
    found.map((release) => {
      const { appVersion = '' } = release.chart.metadata;
      return `${release.version}\tApp: ${appVersion}, Chart: ${chartLabel(release)}`;
    }),
  );
}

export async function namespaces({ flags, context }: CompletionContext): Promise<Completions> {
  const found = await inTime(async () => {
    const cluster = await (await openCluster(flags, context)).cluster();
    return cluster.list('v1', 'Namespace', { metadataOnly: true });
  });
  return found === undefined ? files : fixedChoices(found.map(({ metadata }) => metadata.name));
}

export async function contexts({ flags, context }: CompletionContext): Promise<Completions> {
  const { knownContexts } = await import('../../cluster/kubeconfig.ts');
  const { kubeconfig } = context.settings(flags).kube;
  // A completion shows no errors: without a kubeconfig there is nothing to choose from.
  const found = await knownContexts({ kubeconfig, env: context.io.env as NodeJS.ProcessEnv }).catch(() => []);
  return fixedChoices(found.map(({ name, cluster }) => `${name}\t${cluster}`));
}

const openCluster = (flags: GlobalFlags, context: CliContext): Promise<Context> => context.open(flags);

/** What is found in time; undefined where it is not, whatever the reason: a shell shows no errors. */
async function inTime<T>(find: () => Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), patienceMs);
  });
  try {
    return await Promise.race([find(), tooLate]);
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
