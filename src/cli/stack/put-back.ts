import { rollback } from '../../actions/rollback.ts';
import { uninstall } from '../../actions/uninstall.ts';
import type { UpgradeOptions } from '../../actions/upgrade.ts';
import { optionsToGoBack } from '../../change/open-upgrade.ts';
import { uninstallOptionsOf } from '../../stack/action-options.ts';
import { reversed, type StackNode } from '../../stack/plan-stack.ts';
import { type NodeOutcome, runGraph } from '../../stack/run-graph.ts';
import { messageOf } from '../../support/errors.ts';
import type { Session } from '../context.ts';
import type { StackWork } from './work.ts';

/** What a run has done to a release. */
export interface ChangedRelease {
  /** The revision that it made. */
  readonly revision: number;
  readonly options: UpgradeOptions;
  readonly session: Session;
}

/**
 * Puts back what a run has changed, each release before those that it needs: what it installed goes, what it upgraded has
 * its last good revision again. Says of each how that went; gives back those that could not be put back.
 */
export async function putBack(
  changed: ReadonlyMap<string, ChangedRelease>,
  { nodes, progress }: StackWork,
  concurrency: number,
): Promise<readonly string[]> {
  const back = reversed(nodes.filter(({ id }) => changed.has(id)));
  const outcomes = await runGraph(
    back,
    async (node) => {
      const done = await putOneBack(node, changed.get(node.id) as ChangedRelease);
      progress.tell(`${node.id}: ${done}`);
    },
    { concurrency },
  );
  const failures = [...outcomes].filter(([, outcome]) => outcome.kind !== 'done');
  for (const [id, outcome] of failures) progress.tell(`${id}: not put back: ${whyNot(outcome)}`);
  return failures.map(([id]) => id);
}

function whyNot(outcome: NodeOutcome<unknown>): string {
  if (outcome.kind === 'failed') return messageOf(outcome.error);
  return outcome.kind === 'skipped' ? `${outcome.because} still needs it` : '';
}

async function putOneBack(
  { release, file }: StackNode,
  { revision, options, session }: ChangedRelease,
): Promise<string> {
  const name = release.name ?? '';
  // What undoes a failure is not cut short by the interruption that may have been its cause.
  const calm = { ...session, signal: undefined };
  const history = await (await session.storage()).revisions(name);
  const before = history.filter(({ version }) => version < revision);
  const good = before.findLast(({ info }) => info.status === 'superseded' || info.status === 'deployed');
  if (good !== undefined) {
    await rollback({ ...optionsToGoBack(options, history, good.version), wait: options.wait }, calm);
    return `rolled back to revision ${good.version}`;
  }
  if (before.some(({ info }) => info.status !== 'uninstalled'))
    return 'left as it is: none of its earlier revisions was deployed';
  await uninstall(uninstallOptionsOf(release, file), calm);
  return 'uninstalled again';
}
