// The main program of a GitHub Action in JavaScript: bundle it with `deploy({ environment: process.env })` at its end.
import { appendFileSync, existsSync } from 'node:fs';
import { annotations, type ClusterChoice, type Environment, Tshelm } from 'tshelm';

/** What the program needs of its runner, so that a test can give it too. */
export interface Runner {
  readonly environment: Environment;
  /** Default: what the input `kubeconfig` says. */
  readonly cluster?: ClusterChoice;
  readonly write?: (line: string) => void;
  readonly signal?: AbortSignal;
}

/** Deploys a chart and returns the exit code. */
export async function deploy({ environment, cluster, write = console.log, signal }: Runner): Promise<number> {
  const input = (name: string): string => environment[`INPUT_${name.toUpperCase()}`] ?? '';
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
