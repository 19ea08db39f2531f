// What a pull request would change in the cluster, as a comment in Markdown. Nothing is changed.
import { Tshelm } from 'tshelm';

/** @param {{ cluster: import('tshelm').ClusterChoice, name: string, chart: string, values?: import('tshelm').Values }} change */
export async function previewComment({ cluster, name, chart, values }) {
  const tshelm = new Tshelm({ cluster });
  try {
    const diff = await tshelm.diff(name, chart, { install: true, values });
    const { plan } = await tshelm.upgrade(name, chart, { install: true, values, dryRun: 'server' });
    const changes = diff.objects.filter(({ change }) => change !== 'unchanged');
    return [
      `### ${name}: ${diff.from === undefined ? 'new release' : `${diff.from.chart} → ${diff.to.chart}`}`,
      '',
      ...(changes.length === 0 ? ['Nothing changes.'] : ['| object | change |', '|---|---|']),
      ...changes.map(({ id, change, problem }) => `| ${id.kind} \`${id.name}\` | ${problem ?? change} |`),
      '',
      ...plan.warnings.map((warning) => `- :warning: ${warning}`),
    ].join('\n');
  } finally {
    await tshelm.close();
  }
}
