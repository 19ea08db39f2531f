import type { UpgradeOptions } from '../../actions/options/upgrade.ts';
import { rollback } from '../../actions/rollback.ts';
import { uninstall } from '../../actions/uninstall.ts';
import { optionsToGoBack } from '../../change/open-upgrade.ts';
import { messageOf } from '../../support/errors.ts';
import { uninstallOptionsOf } from '../action-options.ts';
import { reversed, type StackNode } from '../plan-stack.ts';
import { type NodeOutcome, runGraph } from '../run-graph.ts';
import type { Done } from './progress.ts';
import type { StackSession } from './session.ts';
import type { StackWork } from './work.ts';

/** What a run has done to a release. */
export interface ChangedRelease {
  /** The revision that it made. */
  readonly revision: number;
  readonly options: UpgradeOptions;
  readonly session: StackSession;
}

/**
 * Puts back what a run has changed, each release before those that it needs: what it installed goes, what it upgraded has
 * its last good revision again. Gives back those that could not be put back, and why.
 */
export async function putBack(
  changed: ReadonlyMap<string, ChangedRelease>,
  { nodes, tools: { progress } }: StackWork,
  concurrency: number,
): Promise<ReadonlyMap<string, string>> {
  const back = reversed(nodes.filter(({ id }) => changed.has(id)));
  const outcomes = await runGraph(
    back,
    async (node) => {
      const way = await revertActionOf(node, changed.get(node.id) as ChangedRelease);
      return progress.follow(node.id, way.go, way.action);
    },
    { concurrency },
  );
  return new Map(
    [...outcomes].flatMap(([id, outcome]) => (outcome.kind === 'done' ? [] : [[id, reasonNotReverted(outcome)]])),
  );
}

function reasonNotReverted(outcome: NodeOutcome<unknown>): string {
  if (outcome.kind === 'failed') return messageOf(outcome.error);
  return outcome.kind === 'skipped' ? `${outcome.because} still needs it` : '';
}

const leftAsItIs: Done = {
  change: 'unchanged',
  text: 'left as it is, since none of its earlier revisions was deployed',
};

interface RevertAction {
  readonly action: 'rollback' | 'uninstall';
  readonly go: () => Promise<Done>;
}

async function revertActionOf(
  { release, file }: StackNode,
  { revision, options, session }: ChangedRelease,
): Promise<RevertAction> {
  const name = release.name ?? '';
  // What undoes a failure is not cut short by the interruption that may have been its cause.
  const sessionWithoutSignal = { ...session, signal: undefined };
  const history = await (await session.storage()).revisions(name);
  const before = history.filter(({ version }) => version < revision);
  const good = before.findLast(({ info }) => info.status === 'superseded' || info.status === 'deployed');
  if (good !== undefined) {
    const go = async (): Promise<Done> => {
      const { release: made } = await rollback(
        { ...optionsToGoBack(options, history, good.version), wait: options.wait },
        sessionWithoutSignal,
      );
      return { change: 'rolled-back', revision: made.version, text: `rolled back to revision ${good.version}` };
    };
    return { action: 'rollback', go };
  }
  if (before.some(({ info }) => info.status !== 'uninstalled'))
    return { action: 'rollback', go: async () => leftAsItIs };
  const go = async (): Promise<Done> => {
    await uninstall(uninstallOptionsOf(release, file), sessionWithoutSignal);
    return { change: 'uninstalled', text: 'uninstalled again' };
  };
  return { action: 'uninstall', go };
}
