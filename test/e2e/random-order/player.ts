import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { connect } from '../../../src/cluster/connect.ts';
import type { Cluster } from '../../../src/cluster/types.ts';
import type { KubernetesObject, ResourceId } from '../../../src/manifest/types.ts';
import { chartFiles, hookLabel, outsideName, resourceLabel, versionKey } from '../../plan/random/chart-files.ts';
import type { ActDraw, ChartDraw, Disturbance, FaultName, HookEvent, Scenario } from '../../plan/random/draw.ts';
import { kinds } from '../../plan/random/names.ts';
import { orderFileOf, withoutOrder } from '../../plan/random/outside.ts';
import {
  brokenHooks,
  derivedWaits,
  hasBrokenItem,
  hookIds,
  hooksOf,
  hookWaits,
  itemIds,
  lossOf,
  needyIds,
  packagedByHelm,
  waitsOf,
} from '../../plan/random/rules.ts';
import { begunBeforeOutside, begunTooEarly, deletedTooEarly, strangers } from '../../plan/random/witness.ts';
import { type Fault, FaultProxy } from '../chaos/proxy.ts';
import { dropEachWatch, everyNth } from '../chaos/scripts.ts';
import { type Audit, auditOf, type Write } from '../support/audit.ts';
import { configMap, writeChart } from '../support/charts.ts';
import { namespaceObject } from '../support/namespaces.ts';
import { helm, ok, tshelm, tshelmPath } from '../support/programs.ts';

const release = 'r';
const settleMs = 20_000;
const outsideDelayMs = 1_000;

/** A revision as `helm history` tells it. */
interface Revision {
  readonly revision: number;
  readonly status: string;
  /** Of the chart, from its version `0.0.N`. */
  readonly version: number;
}

interface Ran {
  /** Null when it was killed. */
  readonly code: number | null;
  readonly stderr: string;
  readonly isDisturbed: boolean;
}

/** One act as it was played: what was asked for, and what was there before. */
interface Played {
  readonly act: ActDraw;
  readonly words: readonly string[];
  readonly event: 'install' | 'upgrade' | 'rollback' | 'delete';
  /** Of the chart that is wanted afterwards, or, of an uninstall, that was there. */
  readonly version: number;
  /** Whether that version's order is in a file that this state has never seen. */
  readonly isBare: boolean;
  readonly isOrdered: boolean;
  /** Edges that are certain may be followed, and no others are implied: `yes` where that was asked for. */
  readonly isDerived: 'yes' | 'maybe' | 'no';
  readonly before: readonly Revision[];
  /** Milliseconds since the epoch, by the API server's clock, which is this machine's. */
  readonly from: number;
  readonly ran: Ran;
}

/** A version of the chart, as it is deployed. */
interface DrawnChart {
  /** Without what Helm drops where it has packaged it. */
  readonly draw: ChartDraw;
  readonly path: string;
  /** Has what `draw` declares, where the chart itself does not. */
  readonly orderFile: string | undefined;
  readonly loss: ReturnType<typeof lossOf>;
}

/** A namespace of one scenario's own, with one other release in it, behind a proxy for the faults. */
export class Player {
  readonly #directory: string;
  readonly #cluster: Cluster;
  readonly #proxy: FaultProxy;
  readonly #audit: Audit;
  readonly #namespace: string;
  readonly #charts: readonly DrawnChart[];
  readonly #writes: Write[] = [];
  /** Of the last change that may be resumed. */
  #lastEvent: Exclude<Played['event'], 'delete'> = 'install';
  /** The revisions that were deployed in order, and those that Helm made. */
  readonly #ordered = new Set<number>();
  readonly #byHelm = new Set<number>();
  /** Those in which edges that are certain may have been followed. */
  readonly #derived = new Set<number>();
  /** The revisions whose version has its order in a file, and that do not know it: Helm takes no such file. */
  readonly #bare = new Set<number>();

  private constructor(setUp: {
    directory: string;
    cluster: Cluster;
    proxy: FaultProxy;
    namespace: string;
    charts: readonly DrawnChart[];
  }) {
    this.#directory = setUp.directory;
    this.#cluster = setUp.cluster;
    this.#proxy = setUp.proxy;
    this.#namespace = setUp.namespace;
    this.#audit = auditOf({ namespace: setUp.namespace, cluster: () => setUp.cluster });
    this.#charts = setUp.charts;
  }

  /** Plays a scenario whole; what speaks against it, [] when nothing does. `directory`: empty, for its charts. */
  static async play(scenario: Scenario, directory: string, namespace: string): Promise<readonly string[]> {
    const kubeconfig = process.env['KUBECONFIG'] ?? '';
    const proxy = await FaultProxy.open(kubeconfig);
    writeFileSync(join(directory, 'kubeconfig'), proxy.kubeconfig);
    const cluster = await connect({ namespace, kubeconfig });
    try {
      await cluster.apply(namespaceObject(namespace));
      const charts = await chartsOf(scenario, directory);
      const player = new Player({ directory, cluster, proxy, namespace, charts });
      return await player.#playAll(scenario.acts);
    } finally {
      await cluster.delete({ apiVersion: 'v1', kind: 'Namespace', namespace: '', name: namespace });
      cluster.close();
      await proxy.close();
    }
  }

  async #playAll(acts: readonly ActDraw[]): Promise<readonly string[]> {
    this.#audit.begin();
    const other = writeChart(this.#directory, 'other', { 'templates/a.yaml': configMap('a', 'x') });
    await this.#serviceAccount();
    await ok(tshelm, ['install', 'r2', other, '-n', this.#namespace]);
    await this.#audit.next();
    for (const [index, act] of acts.entries()) {
      const problems = await this.#playOne(act);
      if (problems.length > 0) return [`act ${index + 1} of ${acts.length}:`, ...problems];
    }
    return this.#playEnd();
  }

  /** Pods cannot be created before it is there. */
  #serviceAccount(): Promise<unknown> {
    const id = { apiVersion: 'v1', kind: 'ServiceAccount', namespace: this.#namespace, name: 'default' };
    return settled(async () => ((await this.#cluster.get(id)) === undefined ? ['no ServiceAccount'] : []));
  }

  async #playOne(act: ActDraw): Promise<readonly string[]> {
    const before = await this.#history();
    const asked = this.#wordsOf(act, before);
    if (asked === undefined) return [];
    const isNeedy = asked.event !== 'delete' && needyIds(this.#drawOf(asked.version), release).length > 0;
    if (isNeedy) await this.#withdrawOutside();
    const from = Date.now();
    // What was broken before the run is waited for to the end.
    const timeout = asked.event !== 'delete' && hasBrokenItem(this.#drawOf(asked.version)) ? '20s' : '60s';
    const words = [...asked.words, '--timeout', isHurried(act) ? '2s' : timeout];
    const running = act.kind === 'helm' ? this.#runHelm(words) : this.#run(words, act.disturbance);
    if (isNeedy) await this.#bringOutside();
    const ran = await running;
    this.#writes.push(...(await this.#audit.next()));
    this.#writes.sort((a, b) => a.at - b.at);
    const played: Played = { act, ...asked, before, from, ran };
    const after = await this.#history();
    // After an uninstall the revisions count from 1 again.
    for (const { revision } of after.filter((one) => !before.some((old) => old.revision === one.revision)))
      for (const [set, has] of [
        [this.#ordered, asked.isOrdered],
        [this.#derived, asked.isDerived !== 'no'],
        [this.#byHelm, act.kind === 'helm'],
        [this.#bare, this.#isBareAfter(played, revision)],
      ] as const)
        if (has) set.add(revision);
        else set.delete(revision);
    const isRefused = this.#isRefused(played);
    if (asked.event !== 'delete' && !isRefused) this.#lastEvent = asked.event;
    const problems = [
      ...this.#problemsOfLoss(played),
      ...(isRefused ? [] : this.#problemsOfEnd(played)),
      ...this.#problemsOfOrder(played),
      ...this.#problemsOfHistory(played, after),
      ...(isRefused ? [] : await this.#problemsOfState(played, after)),
    ];
    if (problems.length === 0) return [];
    return [
      `${act.kind === 'helm' ? 'helm' : 'tshelm'} ${asked.words.join(' ')} (${JSON.stringify(act)}) ended with ${ran.code}`,
      ...problems,
      ran.stderr,
    ];
  }

  /** What needy resources wait for is gone before a run. */
  async #withdrawOutside(): Promise<void> {
    await settled(async () => {
      await this.#cluster.delete(this.#outsideId, { propagation: 'Foreground' });
      return (await this.#cluster.get(this.#outsideId)) === undefined ? [] : ['what is outside is still there'];
    });
  }

  /** And it comes back while the run waits. */
  async #bringOutside(): Promise<void> {
    await delay(outsideDelayMs);
    const labels = { app: this.#outsideId.name };
    const annotations = { 'e2e.tshelm.dev/ready-after': '300ms' };
    const spec = { containers: [{ name: 'main', image: 'example.com/main:1' }] };
    const { apiVersion, kind, name, namespace } = this.#outsideId;
    await this.#cluster.create({
      apiVersion,
      kind,
      metadata: { name, namespace },
      spec: { selector: { matchLabels: labels }, template: { metadata: { labels, annotations }, spec } },
    });
  }

  get #outsideId(): ResourceId {
    return { apiVersion: 'apps/v1', kind: 'Deployment', namespace: this.#namespace, name: outsideName(release) };
  }

  /** A second revision of one run is the last deployed one, put back. */
  #isBareAfter({ isBare, before }: Played, revision: number): boolean {
    const newest = before.at(-1)?.revision ?? 0;
    const putBack = revision > newest + 1 ? before.findLast(({ status }) => status === 'deployed') : undefined;
    return putBack === undefined ? isBare : this.#bare.has(putBack.revision);
  }

  /** Undefined where there is nothing to do it with. */
  #wordsOf(act: ActDraw, before: readonly Revision[]): Omit<Played, 'act' | 'before' | 'from' | 'ran'> | undefined {
    const newest = before.at(-1);
    const isOrderedBefore = newest !== undefined && newest.status === 'deployed' && this.#ordered.has(newest.revision);
    if (act.kind === 'helm') return this.#wordsOfHelm(act, before);
    if (act.kind === 'uninstall') {
      const isOrdered = newest !== undefined && this.#ordered.has(newest.revision);
      const words = [
        'uninstall',
        release,
        '--ignore-not-found',
        ...(act.deletesHooks ? ['--delete-hooks'] : []),
        ...(act.keepsHistory && newest?.status !== 'uninstalled' ? ['--keep-history'] : []),
        ...(isOrdered && !isOrderedBefore ? ['--wait=ordered'] : []),
      ];
      return { words, event: 'delete', ...this.#stateOf(newest), isOrdered, isDerived: this.#maybeDerived(newest) };
    }
    const version = act.kind === 'deploy' ? act.version % this.#charts.length : (newest?.version ?? 0);
    const orderFile = act.kind === 'rollback' ? undefined : this.#charts[version]?.orderFile;
    const older = before.slice(0, -1).reverse();
    const target = act.kind === 'rollback' ? older[act.back % Math.max(1, older.length)] : undefined;
    // Without --wait, a rollback is as the revision that it goes back to was.
    const isOrderedAgain = act.kind === 'rollback' ? this.#ordered.has(target?.revision ?? 0) : isOrderedBefore;
    const isOrdered =
      act.wait === 'ordered' ||
      act.wait === 'auto' ||
      (act.wait === 'bare' && (isOrderedAgain || orderFile !== undefined));
    const more = [
      ...(act.wait === 'bare' ? [] : [`--wait=${act.wait}`]),
      ...(act.isUndone && act.kind !== 'rollback' ? ['--rollback-on-failure'] : []),
      ...(act.isCleanedUp && newest !== undefined ? ['--cleanup-on-fail'] : []),
    ];
    if (act.kind === 'rollback') {
      if (target === undefined) return undefined;
      const words = ['rollback', release, String(target.revision), ...more];
      const isDerived = act.wait === 'auto' ? 'yes' : this.#maybeDerived(target);
      return { words, event: 'rollback', ...this.#stateOf(target), isOrdered, isDerived };
    }
    if (act.kind === 'resume' && (newest === undefined || this.#byHelm.has(newest.revision))) return undefined;
    if (act.kind === 'resume' && newest !== undefined && this.#bare.has(newest.revision)) return undefined;
    const chart = this.#charts[version]?.path as string;
    const isFirst = newest === undefined;
    const way = act.kind === 'resume' ? ['--resume'] : isFirst ? [] : ['--install'];
    const eager = act.kind === 'deploy' && act.isEager && act.wait === 'ordered' ? ['--eager'] : [];
    const order = orderFile === undefined ? [] : ['--order', orderFile];
    const words = [isFirst ? 'install' : 'upgrade', release, chart, ...order, ...way, ...eager, ...more];
    const isInstall = isFirst || newest.status === 'uninstalled';
    const event = act.kind === 'resume' ? this.#lastEvent : isInstall ? 'install' : 'upgrade';
    const isDerived =
      act.wait === 'auto' ? 'yes' : act.wait === 'bare' || act.kind === 'resume' ? this.#maybeDerived(newest) : 'no';
    return { words, event, version, isBare: false, isOrdered, isDerived };
  }

  #maybeDerived(revision: Revision | undefined): 'maybe' | 'no' {
    return revision !== undefined && this.#derived.has(revision.revision) ? 'maybe' : 'no';
  }

  #stateOf(revision: Revision | undefined): Pick<Played, 'version' | 'isBare'> {
    return { version: revision?.version ?? 0, isBare: revision !== undefined && this.#bare.has(revision.revision) };
  }

  /** Helm refuses a release that a killed run has left pending, and one without a good revision. */
  #wordsOfHelm(
    { does, version }: Extract<ActDraw, { kind: 'helm' }>,
    before: readonly Revision[],
  ): Omit<Played, 'act' | 'before' | 'from' | 'ran'> | undefined {
    const newest = before.at(-1);
    if (newest?.status !== 'deployed') return undefined;
    if (does === 'uninstall')
      return {
        words: ['uninstall', release],
        event: 'delete',
        ...this.#stateOf(newest),
        isOrdered: false,
        isDerived: 'no',
      };
    const target = before.at(-2);
    if (does === 'rollback') {
      if (target === undefined) return undefined;
      const words = ['rollback', release, String(target.revision)];
      return {
        words,
        event: 'rollback',
        ...this.#stateOf(target),
        isOrdered: false,
        isDerived: this.#maybeDerived(target),
      };
    }
    const next = version % this.#charts.length;
    const words = ['upgrade', release, this.#charts[next]?.path as string];
    return {
      words,
      event: 'upgrade',
      version: next,
      isBare: this.#charts[next]?.orderFile !== undefined,
      isOrdered: false,
      isDerived: 'no',
    };
  }

  async #runHelm(words: readonly string[]): Promise<Ran> {
    const { code, stderr } = await helm.run([...words, '-n', this.#namespace]);
    return { code, stderr, isDisturbed: false };
  }

  async #run(words: readonly string[], disturbance: Disturbance | null): Promise<Ran> {
    const env = { ...process.env, KUBECONFIG: join(this.#directory, 'kubeconfig') };
    const run = { signal: (_signal: NodeJS.Signals): void => {} };
    this.#proxy.begin(scriptOf(disturbance, (signal) => run.signal(signal)));
    const all = [...words, '-n', this.#namespace, '--grace', '1s'];
    const child = spawn(tshelmPath, all, { env, stdio: ['ignore', 'ignore', 'pipe'] });
    run.signal = (signal) => void child.kill(signal);
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    const code = await new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve));
    await this.#proxy.idle();
    return { code, stderr, isDisturbed: disturbance?.kind === 'signal' && this.#proxy.hit.length > 0 };
  }

  async #history(): Promise<readonly Revision[]> {
    const words = ['history', release, '-o', 'json', '--max', '100', '-n', this.#namespace];
    const { code, stdout, stderr } = await helm.run(words);
    if (code !== 0 && stderr.includes('release: not found')) return [];
    if (code !== 0) throw new Error(`helm cannot read the history: ${stderr}`);
    const revisions = JSON.parse(stdout) as { revision: number; status: string; chart: string }[];
    return revisions.map(({ revision, status, chart }) => ({
      revision,
      status,
      version: Number(chart.slice(chart.lastIndexOf('.') + 1)),
    }));
  }

  #drawOf(version: number, isBare = false): ChartDraw {
    const draw = this.#charts[version]?.draw;
    if (draw === undefined) throw new Error(`there is no chart of version ${version}`);
    return isBare ? withoutOrder(draw) : draw;
  }

  /** Whether it would not deploy an order that Helm may have inverted. */
  #isRefused({ act, event, version, ran }: Played): boolean {
    const brings = act.kind !== 'helm' && (event === 'install' || event === 'upgrade');
    return brings && this.#lossOf(version) === 'refused' && ran.code === 1 && ran.stderr.includes('--allow-lost-order');
  }

  /** Of a chart that Helm has packaged. */
  #problemsOfLoss(played: Played): readonly string[] {
    const { act, version, isOrdered, isDerived, from, ran } = played;
    if (this.#isRefused(played)) {
      const items = itemIds(this.#drawOf(version), release);
      return this.#writes
        .filter(({ at, userAgent, object }) => at >= from && userAgent === 'tshelm' && items.includes(object))
        .map(({ verb, object }) => `it was refused after ${verb} ${object}`);
    }
    if (act.kind !== 'deploy' || !isOrdered || isDerived !== 'no' || ran.code !== 0) return [];
    const loss = this.#lossOf(version);
    if (loss === 'refused') return ['it deployed an order that Helm may have inverted'];
    const isTold = /(?:probably|may have) packaged/.test(ran.stderr);
    return loss === 'warned' && !isTold ? ['it does not say that an order may be lost'] : [];
  }

  #lossOf(version: number): DrawnChart['loss'] {
    return this.#charts[version]?.loss ?? 'nothing';
  }

  #problemsOfEnd(played: Played): readonly string[] {
    const { ran, isOrdered, isDerived, version, event, act } = played;
    const draw = this.#drawOf(version);
    if (act.kind === 'helm') return [];
    const internal = /internal:|TypeError|Cannot read propert|is not a function/.test(ran.stderr);
    const isBroken = (event !== 'delete' && hasBrokenItem(draw)) || brokenHooks(draw, hookEventsOf(event)).length > 0;
    // What nothing waits for is not waited for as in an order: Jobs need not be complete.
    const mustFail = isBroken && isOrdered && isDerived === 'no' && event !== 'delete' && hasBrokenItem(draw);
    const nothingToDo = played.act.kind === 'resume' && /has nothing to resume|nothing to go on with/.test(ran.stderr);
    return [
      ...(internal ? ['an internal error'] : []),
      ...(ran.code !== 0 && !isBroken && !ran.isDisturbed && !nothingToDo && !isHurried(act)
        ? ['it failed, and nothing is wrong']
        : []),
      ...(ran.code === 0 && mustFail ? ['it succeeded, and something never gets ready'] : []),
      ...(ran.isDisturbed && !isBroken && ![0, null, 130, 143].includes(ran.code)
        ? [`a signal ended it with ${ran.code}`]
        : []),
    ];
  }

  #problemsOfOrder(played: Played): readonly string[] {
    const { version, isBare, from, event, isOrdered, isDerived, before, ran } = played;
    const draw = this.#drawOf(version, isBare);
    const judged = { writes: this.#writes, from, version, hooks: new Set(hookIds(draw, release)) };
    const foreign = strangers(
      this.#writes.filter(({ at }) => at >= from),
      release,
    );
    const [pre, post] = hookEventsOf(event);
    const isJudged = this.#judgedHooks(played);
    const isBatched = isOrdered && isDerived === 'no';
    const hooks = [...hookWaits(draw, pre, release), ...hookWaits(draw, post, release)].filter(([id]) => isJudged(id));
    const items = itemIds(draw, release);
    const afterPre = this.#isPutBack(played)
      ? []
      : hooksOf(draw, pre, release).flatMap(({ id }) => items.map((item) => [item, id] as const));
    const beforePost = hooksOf(draw, post, release)
      .filter(({ id }) => isJudged(id))
      .flatMap(({ id }) => items.map((item) => [id, item] as const));
    if (event === 'delete') {
      const early = isBatched ? deletedTooEarly(judged, waitsOf(draw, release)) : [];
      return [...foreign, ...early, ...begunTooEarly(judged, hooks)];
    }
    const previous = before.at(-1);
    const removed = previous === undefined ? [] : this.#waitsOfRemoved(previous, draw);
    return [
      ...foreign,
      ...begunTooEarly(judged, [...hooks, ...afterPre]),
      ...(isBatched ? begunTooEarly(judged, [...waitsOf(draw, release), ...beforePost]) : []),
      ...(isDerived === 'yes' ? begunTooEarly(judged, derivedWaits(draw, release)) : []),
      // What undoes a failure waits for nothing outside.
      ...(isOrdered && (ran.code === 0 || !('isUndone' in played.act && played.act.isUndone))
        ? begunBeforeOutside(judged, needyIds(draw, release), outsideName(release))
        : []),
      ...(isBatched ? deletedTooEarly(judged, removed) : []),
      ...(isBatched && 'isCleanedUp' in played.act && played.act.isCleanedUp && ran.code !== 0 && previous !== undefined
        ? deletedTooEarly(judged, this.#waitsOfNew(previous, draw))
        : []),
    ];
  }

  /** What undoes a failure sends the same objects, if the same version was deployed before. */
  #isPutBack({ act, ran, version, before }: Played): boolean {
    const last = before.findLast(({ status }) => status === 'deployed');
    return ran.code !== 0 && 'isUndone' in act && act.isUndone && last?.version === version;
  }

  /** What undoes a failure runs hooks of its own: the log does not tell for which of the two one was sent. */
  #judgedHooks({ act, event, ran, version }: Played): (id: string) => boolean {
    if (ran.code === 0 || !('isUndone' in act) || !act.isUndone) return () => true;
    const undoing = hookEventsOf(event === 'install' ? 'delete' : 'rollback');
    const again = new Set(undoing.flatMap((one) => hooksOf(this.#drawOf(version), one, release).map(({ id }) => id)));
    return (id) => !again.has(id) && !id.startsWith('pods/');
  }

  #waitsOfRemoved(previous: Revision, draw: ChartDraw): ReturnType<typeof waitsOf> {
    if (!this.#ordered.has(previous.revision) || this.#derived.has(previous.revision)) return [];
    const kept = new Set(itemIds(draw, release));
    const waits = waitsOf(this.#drawOf(previous.version, this.#bare.has(previous.revision)), release);
    return waits.filter(([later, earlier]) => !kept.has(later) && !kept.has(earlier));
  }

  /** Of what a version has brought: --cleanup-on-fail takes it away in the reverse of its order. */
  #waitsOfNew(previous: Revision, draw: ChartDraw): ReturnType<typeof waitsOf> {
    const old = new Set(itemIds(this.#drawOf(previous.version), release));
    return waitsOf(draw, release).filter(([later, earlier]) => !old.has(later) && !old.has(earlier));
  }

  #problemsOfHistory({ act, before, ran, event, version }: Played, after: readonly Revision[]): readonly string[] {
    const left = after.filter(({ revision }) => before.some((one) => one.revision === revision));
    const changed = left.filter(
      ({ revision, version }) => before.find((one) => one.revision === revision)?.version !== version,
    );
    const numbers = after.map(({ revision }) => revision);
    const gaps = numbers.some((number, index) => index > 0 && number !== (numbers[index - 1] ?? 0) + 1);
    // As with Helm, a hook that fails leaves it so; an install that failed may be undone by an uninstall.
    const isTakenAway = event === 'delete' || (event === 'install' && 'isUndone' in act && act.isUndone);
    // Deleting what goes slowly takes longer than the time there is; the next run goes on with it.
    const isStuck = isTakenAway && (isHurried(act) || brokenHooks(this.#drawOf(version), ['pre-delete']).length > 0);
    const wasSo = (one: Revision): boolean =>
      before.some(({ revision, status }) => revision === one.revision && status === one.status);
    // Helm's own rollback ends so, too, where one of its hooks fails (action.Rollback.Run).
    const isLeftByHelm =
      act.kind === 'helm' &&
      event === 'rollback' &&
      brokenHooks(this.#drawOf(version), ['pre-rollback', 'post-rollback']).length > 0;
    const unfinished = after.filter(
      (one) =>
        (one.status.startsWith('pending-') && !isLeftByHelm) ||
        (one.status === 'uninstalling' && !isStuck && !wasSo(one)),
    );
    const deployed = after.filter(({ status }) => status === 'deployed');
    return [
      ...changed.map(({ revision }) => `revision ${revision} is another one now`),
      ...(gaps ? [`the revisions are ${numbers.join(', ')}`] : []),
      ...(after.length > 10 ? [`${after.length} revisions are kept`] : []),
      ...(deployed.length > 1 ? [`${deployed.length} revisions are deployed`] : []),
      ...(ran.code === null ? [] : unfinished.map(({ revision, status }) => `revision ${revision} is ${status}`)),
    ];
  }

  async #problemsOfState(played: Played, after: readonly Revision[]): Promise<readonly string[]> {
    const { ran, event, version, act, before } = played;
    // Helm knows no Leases, and leaves that of a run that was killed.
    const leases = ran.code === null || act.kind === 'helm' ? [] : await this.#leases();
    if (ran.code !== 0) return [...leases, ...(await this.#problemsOfUndo(played, after))];
    if (event === 'delete') {
      const isKept = act.kind === 'uninstall' && act.keepsHistory && before.length > 0;
      const newest = after.at(-1)?.status;
      return [
        ...leases,
        ...(await settled(() => this.#differences([], undefined))),
        ...(isKept || newest === undefined ? [] : [`the newest revision is ${newest}`]),
        ...(act.kind === 'uninstall' && act.deletesHooks ? await settled(() => this.#hooksLeft(before.at(-1))) : []),
      ];
    }
    const newest = after.at(-1);
    return [
      ...leases,
      ...(newest?.status === 'deployed' && newest.version === version
        ? []
        : [`the newest revision is ${newest?.status} with version ${newest?.version}, not deployed with ${version}`]),
      ...(await settled(() => this.#differences(itemIds(this.#drawOf(version), release), version))),
    ];
  }

  /** After a run that failed and was to undo what it did, the last deployed revision is live again. */
  async #problemsOfUndo(
    { act, event, before, ran, version }: Played,
    after: readonly Revision[],
  ): Promise<readonly string[]> {
    if (act.kind === 'uninstall' || act.kind === 'rollback' || act.kind === 'helm') return [];
    // What undoes it may be short of time as well.
    if (!act.isUndone || act.isHurried || ran.code === null) return [];
    const isRefused = after.at(-1)?.revision === before.at(-1)?.revision;
    if (isRefused && before.length > 0) return [];
    if (ran.isDisturbed && hasBrokenItem(this.#drawOf(version))) return [];
    if (event === 'install') {
      // Of a release that is there, an upgrade goes on with the install: without a good revision there is no way back.
      if (before.length > 0) return [];
      if (brokenHooks(this.#drawOf(version), ['pre-delete', 'post-delete']).length > 0) return [];
      return settled(() => this.#differences([], undefined));
    }
    const last = before.findLast(({ status }) => status === 'deployed');
    if (last === undefined) return [];
    const draw = this.#drawOf(last.version);
    if (hasBrokenItem(draw) || brokenHooks(draw, ['pre-rollback', 'post-rollback']).length > 0) return [];
    const newest = after.at(-1);
    return [
      ...(newest?.status === 'deployed' ? [] : [`it was not undone: the newest revision is ${newest?.status}`]),
      ...(await settled(() => this.#differences(itemIds(draw, release), last.version))),
    ];
  }

  /** Takes all away, without hooks, which may be broken: then nothing is left. */
  async #playEnd(): Promise<readonly string[]> {
    const words = ['uninstall', release, '--ignore-not-found', '--no-hooks', '--delete-hooks', '--wait'];
    const last = (await this.#history()).at(-1);
    const ran = await this.#run(words, null);
    this.#writes.push(...(await this.#audit.next()));
    const left = await settled(async () => [
      ...(await this.#differences([], undefined)),
      ...(await this.#hooksLeft(last)),
      ...(await this.#leases()),
      ...(await this.#history()).map(({ revision }) => `revision ${revision} is left`),
    ]);
    const problems = [
      ...(ran.code === 0 ? [] : [`it ended with ${ran.code}`]),
      ...left,
      ...strangers(this.#writes, release),
    ];
    return problems.length === 0 ? [] : ['the last uninstall:', ...problems, ran.stderr];
  }

  async #leases(): Promise<readonly string[]> {
    const leases = await this.#cluster.list('coordination.k8s.io/v1', 'Lease', { namespace: this.#namespace });
    return leases.map(({ metadata }) => `the lock ${metadata.name} is left`);
  }

  async #live(label: string): Promise<readonly KubernetesObject[]> {
    const options = { namespace: this.#namespace, labelSelector: `${label}=${release}` };
    const lists = await Promise.all(
      Object.entries(kinds).map(([kind, { apiVersion }]) => this.#cluster.list(apiVersion, kind, options)),
    );
    return lists.flat();
  }

  /** Of the last revision's hooks: nothing says whose the objects of others are, once their revisions are forgotten. */
  async #hooksLeft(last: Revision | undefined): Promise<readonly string[]> {
    if (last === undefined) return [];
    const known = new Set(hookIds(this.#drawOf(last.version), release));
    const left = (await this.#live(hookLabel)).map(idOf).filter((id) => known.has(id));
    return left.map((id) => `the hook ${id} is left`);
  }

  async #differences(expected: readonly string[], version: number | undefined): Promise<readonly string[]> {
    const live = await this.#live(resourceLabel);
    const there = new Set(live.map(idOf));
    return [
      ...expected.filter((id) => !there.has(id)).map((id) => `${id} is lost`),
      ...[...there].filter((id) => !expected.includes(id)).map((id) => `${id} is left over`),
      ...live
        .filter(({ metadata }) => version !== undefined && metadata.annotations?.[versionKey] !== String(version))
        .map((object) => `${idOf(object)} is of version ${object.metadata.annotations?.[versionKey]}, not ${version}`),
    ];
  }
}

/** Writes the versions of the chart, and lets Helm package some of them. */
const chartsOf = ({ charts, packaged, orderFiles }: Scenario, directory: string): Promise<DrawnChart[]> =>
  Promise.all(
    charts.map(async (draw, version) => {
      const order = orderFiles.includes(version) ? orderFileOf(draw) : undefined;
      const written = order === undefined ? draw : withoutOrder(draw);
      const path = writeChart(directory, `v${version}`, chartFiles(written, version));
      const orderFile = order === undefined ? undefined : join(directory, `order-${version}.yaml`);
      if (order !== undefined && orderFile !== undefined) writeFileSync(orderFile, order);
      if (!packaged.includes(version)) return { draw, path, orderFile, loss: 'nothing' };
      await ok(helm, ['package', path, '-d', directory]);
      const archive = { path: join(directory, `drawn-0.0.${version}.tgz`), orderFile, loss: lossOf(written) };
      return { draw: order === undefined ? packagedByHelm(draw) : draw, ...archive };
    }),
  );

const isHurried = (act: ActDraw): boolean => 'isHurried' in act && act.isHurried;

const hookEventsOf = (event: Played['event']): readonly [HookEvent, HookEvent] => [`pre-${event}`, `post-${event}`];

const idOf = ({ kind, metadata }: KubernetesObject): string =>
  `${kinds[kind as keyof typeof kinds].resource}/${metadata.name}`;

/** Deletions take a moment: finalizers, and pods that end. */
async function settled(problems: () => Promise<readonly string[]>): Promise<readonly string[]> {
  for (let waitedMs = 0; ; waitedMs += 100) {
    const found = await problems();
    if (found.length === 0 || waitedMs >= settleMs) return found;
    await delay(100);
  }
}

const faults: Readonly<Record<Exclude<FaultName, 'watches'>, Fault>> = {
  '429': { kind: 'answer', status: 429, retryAfter: 1 },
  '500': { kind: 'answer', status: 500 },
  '503': { kind: 'answer', status: 503 },
  'lost answer': { kind: 'answer', status: 504, isLost: true },
  reset: { kind: 'reset' },
  'lost reset': { kind: 'reset', isLost: true },
  'break-off': { kind: 'break-off' },
};

function scriptOf(
  disturbance: Disturbance | null,
  signal: (signal: NodeJS.Signals) => void,
): Parameters<FaultProxy['begin']>[0] {
  if (disturbance === null) return () => undefined;
  if (disturbance.kind === 'faults') {
    const { fault, every } = disturbance;
    return fault === 'watches' ? dropEachWatch(2)() : everyNth(faults[fault], 3, every)();
  }
  const { at, signal: name } = disturbance;
  const how = name === 'SIGKILL' ? { isLost: at % 2 === 0 } : { passes: true };
  return ({ number }) => (number === at ? { kind: 'run', task: () => signal(name), ...how } : undefined);
}
