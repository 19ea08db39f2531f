// What a pull request would change in the cluster, as a comment in Markdown. Nothing is changed.
import { formatDiff, Tshelm } from 'tshelm';

/** @param {{ cluster: import('tshelm').ClusterChoice, name: string, chart: string, values?: import('tshelm').Values }} change */
export async function previewComment({ cluster, name, chart, values }) {
  const tshelm = new Tshelm({ cluster });
  try {
    const diff = await tshelm.diff(name, chart, { install: true, values });
    return formatDiff(diff, { format: 'markdown' });
  } finally {
    await tshelm.close();
  }
}
