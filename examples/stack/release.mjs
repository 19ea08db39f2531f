// A stack of releases (helmfile.yaml): planned, shown, and carried out if somebody says so.
import { formatDiff, isTshelmError, Tshelm } from 'tshelm';

/**
 * Gives what was done with each release; undefined where nothing would change, or nobody approved.
 * @param {{ cluster: import('tshelm').ClusterChoice, folder: string, environment?: string, signal?: AbortSignal,
 *   approve: (changes: string) => Promise<boolean>, write: (line: string) => void }} options
 */
export async function release({ cluster, folder, environment = 'default', signal, approve, write }) {
  const tshelm = new Tshelm({ cluster });
  try {
    const stack = tshelm.stack({ folder, environment });
    const changed = (await stack.plan({ signal })).filter(({ kind }) => kind === 'change');
    if (changed.length === 0) return undefined;
    if (!(await approve(formatDiff(changed.flatMap(({ diff }) => diff ?? []))))) return undefined;

    const operation = stack.apply({ signal, rollbackOnFailure: 'stack' });
    for await (const event of operation) {
      if (event.kind === 'release-started') write(`${event.release} begins`);
      if (event.kind === 'resource') write(`${event.release}: ${event.id.kind}/${event.id.name} is ${event.state}`);
      if (event.kind === 'release-ended') write(`${event.release} is ${event.change ?? event.state}`);
    }
    return (await operation).releases;
  } catch (error) {
    if (isTshelmError(error, 'stack-failed')) {
      for (const [id, cause] of Object.entries(error.details.errors)) write(`${id} failed: ${cause.message}`);
    }
    throw error;
  } finally {
    await tshelm.close();
  }
}
