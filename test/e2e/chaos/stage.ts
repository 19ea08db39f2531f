import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { connect } from '../../../src/cluster/connect.ts';
import type { Cluster } from '../../../src/cluster/types.ts';
import { idOf } from '../../../src/manifest/resource-id.ts';
import type { KubernetesObject } from '../../../src/manifest/types.ts';
import { namespaceObject } from '../support/namespaces.ts';
import { helm, type Ran, tshelm, tshelmPath } from '../support/programs.ts';
import { chaosKinds, hooksThatStay, leftByUninstall, objectsOf } from './chart.ts';
import { FaultProxy } from './proxy.ts';

export type ChartSet = 'a' | 'b';

const settleMs = 20_000;
const statusEvery = 5;

/** A namespace with one release, and a proxy of its own before the API server. Stages can be played on side by side. */
export class Stage {
  readonly release = 'r';
  readonly proxy: FaultProxy;
  readonly namespace: string;
  readonly #cluster: Cluster;
  readonly #direct: Readonly<Record<string, string>>;
  readonly #proxied: Readonly<Record<string, string>>;
  #checks = 0;

  private constructor(namespace: string, cluster: Cluster, proxy: FaultProxy, direct: string, proxied: string) {
    this.namespace = namespace;
    this.#cluster = cluster;
    this.proxy = proxy;
    this.#direct = { KUBECONFIG: direct };
    this.#proxied = { KUBECONFIG: proxied };
  }

  /** `kubeconfig`: of the API server itself, default $KUBECONFIG. */
  static async open(directory: string, name: string, kubeconfig = process.env['KUBECONFIG'] ?? ''): Promise<Stage> {
    const namespace = `chaos-${name}-${process.pid}`;
    const proxy = await FaultProxy.open(kubeconfig);
    const file = join(directory, `${name}.kubeconfig`);
    writeFileSync(file, proxy.kubeconfig);
    const cluster = await connect({ namespace, kubeconfig });
    await cluster.apply(namespaceObject(namespace));
    // Pods cannot be created before it is there, and a control plane that just began takes its time.
    const account = { apiVersion: 'v1', kind: 'ServiceAccount', namespace, name: 'default' };
    for (let tries = 0; tries < 300 && (await cluster.get(account)) === undefined; tries++) {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    return new Stage(namespace, cluster, proxy, kubeconfig, file);
  }

  async close(): Promise<void> {
    await this.#cluster.delete({ apiVersion: 'v1', kind: 'Namespace', namespace: '', name: this.namespace });
    this.#cluster.close();
    await this.proxy.close();
  }

  /** tshelm in this process, straight to the API server. */
  run(words: readonly string[]): Promise<Ran> {
    return tshelm.run([...words, '-n', this.namespace], { env: this.#direct });
  }

  /** tshelm in this process, through the proxy. */
  runThroughProxy(words: readonly string[]): Promise<Ran> {
    return tshelm.run([...words, '-n', this.namespace], { env: this.#proxied });
  }

  /** tshelm as a process of its own, through the proxy. */
  start(words: readonly string[]): { readonly kill: () => void; readonly ended: Promise<Ended> } {
    const env = { ...process.env, ...this.#proxied };
    const child = spawn(tshelmPath, [...words, '-n', this.namespace], { env, stdio: ['ignore', 'ignore', 'pipe'] });
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    const ended = new Promise<Ended>((resolve, reject) => {
      child.on('error', reject).on('close', (code, signal) => resolve({ code, signal, stderr }));
    });
    return { kill: () => void child.kill('SIGKILL'), ended };
  }

  /** What speaks against the release being deployed whole with this set of objects; [] when nothing does. */
  async problemsOfDeployed(set: ChartSet): Promise<readonly string[]> {
    const expected = [...objectsOf(set), ...hooksThatStay].sort();
    return [
      ...(await this.#settled(async () => {
        const live = await this.#live();
        return [...differences(expected, live), ...staleObjects(live, set)];
      })),
      ...(await this.#problemsOfHistory()),
      ...(await this.#problemsOfLock()),
      ...(await this.#problemsForHelm()),
    ];
  }

  /** The same for its being gone; `install`: an install that was never finished, so that what would stay may be missing. */
  async problemsOfGone(after: 'install' | 'deploy' = 'deploy'): Promise<readonly string[]> {
    const records = await this.#records();
    const mayBeMissing = after === 'install' ? leftByUninstall : [];
    return [
      ...(await this.#settled(async () => differences(leftByUninstall, await this.#live(), mayBeMissing))),
      ...records.map(({ metadata }) => `the record ${metadata.name} is left`),
      ...(await this.#problemsOfLock()),
    ];
  }

  async #problemsOfLock(): Promise<readonly string[]> {
    const leases = await this.#cluster.list('coordination.k8s.io/v1', 'Lease', { namespace: this.namespace });
    return leases.map(({ metadata }) => `the lock ${metadata.name} is left`);
  }

  /** 0 when there is none. */
  async newestRevision(): Promise<number> {
    return Math.max(0, ...(await this.#records()).map(({ metadata }) => Number(metadata.labels?.['version'])));
  }

  /** Takes everything of the release away, so that the next run finds nothing. */
  async clear(): Promise<void> {
    for (const object of [...(await this.#live()), ...(await this.#records())]) {
      await this.#cluster.delete(idOf(object), { gracePeriodSeconds: 0 });
    }
    const left = await this.#settled(async () => (await this.#live()).map(titleOf));
    if (left.length > 0) throw new Error(`${this.namespace} cannot be cleared of ${left.join(', ')}`);
  }

  async #live(): Promise<readonly KubernetesObject[]> {
    const options = { namespace: this.namespace, labelSelector: `chaos=${this.release}` };
    const lists = await Promise.all(chaosKinds.map(([version, kind]) => this.#cluster.list(version, kind, options)));
    return lists.flat();
  }

  #records(): Promise<readonly KubernetesObject[]> {
    const labelSelector = `owner=helm,name=${this.release}`;
    return this.#cluster.list('v1', 'Secret', { namespace: this.namespace, labelSelector });
  }

  /** Deletions take a moment: finalizers, and pods that end. */
  async #settled(problems: () => Promise<readonly string[]>): Promise<readonly string[]> {
    for (let waitedMs = 0; ; waitedMs += 100) {
      const found = await problems();
      if (found.length === 0 || waitedMs >= settleMs) return found;
      await delay(100);
    }
  }

  async #problemsOfHistory(): Promise<readonly string[]> {
    const records = (await this.#records()).map(({ metadata }) => metadata.labels ?? {});
    const newest = [...records].sort((x, y) => Number(x['version']) - Number(y['version'])).at(-1);
    const deployed = records.filter(({ status }) => status === 'deployed');
    const unfinished = records.filter(({ status = '' }) => status.startsWith('pending-') || status === 'uninstalling');
    return [
      ...(newest?.['status'] === 'deployed' ? [] : [`the newest revision is ${newest?.['status']}`]),
      ...(deployed.length === 1 ? [] : [`${deployed.length} revisions are deployed`]),
      ...unfinished.map(({ version, status }) => `revision ${version} is ${status}`),
    ];
  }

  async #problemsForHelm(): Promise<readonly string[]> {
    // It gets each object of the release: as much work as all the other checks together.
    const status = this.#checks++ % statusEvery === 0 ? [['status', this.release]] : [];
    const asked = [['list', '--deployed'], ['history', this.release], ...status];
    const answers = await Promise.all(
      asked.map((words) => helm.run([...words, '-o', 'json', '-n', this.namespace], { env: this.#direct })),
    );
    return answers.flatMap(({ code, stdout, stderr }, index) =>
      code === 0 && stdout.includes('"deployed"')
        ? []
        : [`helm ${asked[index]?.[0]}: ${stderr}${stdout.slice(0, 300)}`],
    );
  }
}

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stderr: string;
}

const titleOf = ({ kind, metadata }: KubernetesObject): string => `${kind}/${metadata.name.replace(/^r-/, '')}`;

const staleObjects = (live: readonly KubernetesObject[], set: ChartSet): readonly string[] =>
  live.flatMap((object) => {
    const data = object['data'] as { value?: string } | undefined;
    const value = object.metadata.annotations?.['set'] ?? data?.value;
    if (object.metadata.deletionTimestamp) return [`${titleOf(object)} is being deleted`];
    return value === undefined || [set, 'always', 'once'].includes(value) ? [] : [`${titleOf(object)} is of ${value}`];
  });

function differences(
  expected: readonly string[],
  live: readonly KubernetesObject[],
  mayBeMissing: readonly string[] = [],
): string[] {
  const there = live.filter(({ metadata }) => metadata.ownerReferences === undefined).map(titleOf);
  return [
    ...expected.filter((title) => ![...there, ...mayBeMissing].includes(title)).map((title) => `${title} is lost`),
    ...there.filter((title) => !expected.includes(title)).map((title) => `${title} is left over`),
  ];
}
