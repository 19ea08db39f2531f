import type { Release } from '../../release/types.ts';
import type { CliContext } from '../context.ts';
import { nextCommand } from '../errors/next-command.ts';
import type { GlobalFlags } from '../settings.ts';
import { showsMoreThanHelm } from '../terminal/io.ts';
import type { DeployedFlags } from './deployed.ts';
import { isDryRun } from './release-text.ts';

/**
 * Notes of charts speak of kubectl and of addresses, which lead to another cluster or nowhere where the release is in the
 * sandbox: what leads to it instead, below them.
 */
export async function tellWayIntoSandbox(
  release: Release,
  flags: GlobalFlags & Partial<DeployedFlags> & { readonly quiet?: boolean | undefined },
  context: CliContext,
): Promise<void> {
  if (context.settings(flags).sandboxDirectory === undefined || !showsMoreThanHelm(context.io)) return;
  const { name, namespace, info } = release;
  if (flags.quiet || !info.notes || flags.hideNotes || isDryRun(release) || (flags.output ?? 'table') !== 'table')
    return;
  const logs = await nextCommand(['logs', name], namespace, context);
  context.io.stderr.write(
    `kubectl reaches the sandbox after:\n  tshelm sandbox --write-kubeconfig FILE\nLogs of its pods:\n  ${logs}\n`,
  );
}
