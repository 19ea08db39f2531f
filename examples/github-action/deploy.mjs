// The main program of a GitHub Action in JavaScript (`runs: { using: node24, main: dist/index.mjs }`).
import { appendFileSync, existsSync } from 'node:fs';
import { annotations, Tshelm } from 'tshelm';

/**
 * Deploys a chart and gives the exit code. What it needs of the runner is given to it, so that a test can give it too.
 * @param {{ environment: Record<string, string | undefined>, cluster?: import('tshelm').ClusterChoice,
 *   write?: (line: string) => void, signal?: AbortSignal }} runner
 */
export async function deploy({ environment, cluster, write = console.log, signal }) {
  const input = (name) => environment[`INPUT_${name.toUpperCase()}`] ?? '';
  const tshelm = new Tshelm({
    cluster: cluster ?? { kubeconfigText: input('kubeconfig') },
    namespace: input('namespace') || undefined,
    environment,
  });
  try {
    const operation = tshelm.upgrade(input('release'), input('chart'), {
      install: true,
      valueFiles: input('values-files').split('\n').filter(Boolean),
      set: input('set').split('\n').filter(Boolean),
      wait: 'watcher',
      timeoutMs: 300_000,
      rollbackOnFailure: true,
      signal,
    });
    for await (const event of operation) {
      if (event.kind === 'warning') annotations(event.text, { level: 'warning' }).forEach((line) => write(line));
      if (event.kind === 'resource' && event.state === 'ready') write(`${event.id.kind}/${event.id.name} is ready`);
    }
    const { release } = await operation;
    if (environment['GITHUB_STEP_SUMMARY'])
      appendFileSync(environment['GITHUB_STEP_SUMMARY'], `**${release.name}** is at revision ${release.revision}\n`);
    return 0;
  } catch (error) {
    // A folder of the repository has the chart's files; a name or a URL has none to mark.
    const chart = existsSync(input('chart')) ? input('chart') : undefined;
    for (const line of annotations(error, { chart, title: `deploy ${input('release')}` })) write(line);
    return 1;
  } finally {
    await tshelm.close();
  }
}

if (process.argv[1] === import.meta.filename) process.exitCode = await deploy({ environment: process.env });
