// What a pull request would change in the cluster, as a comment in Markdown. Nothing is changed.
import { type ClusterChoice, formatDiff, Tshelm, type Values } from 'tshelm';

export interface Change {
  readonly cluster: ClusterChoice;
  readonly name: string;
  readonly chart: string;
  readonly values?: Values;
}

export async function previewComment({ cluster, name, chart, values }: Change): Promise<string> {
  const tshelm = new Tshelm({ cluster });
  try {
    const diff = await tshelm.diff(name, chart, { install: true, values });
    return formatDiff(diff, { format: 'markdown' });
  } finally {
    await tshelm.close();
  }
}
