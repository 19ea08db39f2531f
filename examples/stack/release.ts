// A stack of releases (helmfile.yaml): planned, shown, and carried out if somebody says so.
import { type ClusterChoice, formatDiff, isTshelmError, Tshelm } from 'tshelm';

export interface Rollout {
  readonly cluster: ClusterChoice;
  readonly folder: string;
  readonly environment?: string;
  readonly signal?: AbortSignal;
  readonly approve: (changes: string) => Promise<boolean>;
  readonly write: (line: string) => void;
}

/** Returns what was done with each release; undefined where nothing would change, or nobody approved. */
export async function release({ cluster, folder, environment = 'default', signal, approve, write }: Rollout) {
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
      for (const [id, cause] of Object.entries(error.details.errors))
        write(`${id} failed: ${isTshelmError(cause) ? cause.message : cause}`);
    }
    throw error;
  } finally {
    await tshelm.close();
  }
}
