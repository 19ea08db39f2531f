import { kindInGroup } from '../../manifest/resource-id.ts';
import type { KubernetesObject } from '../../manifest/types.ts';
import { type Settled, settleAll } from '../../support/concurrency.ts';
import type { Run } from '../context.ts';
import { joinFailures } from '../failures.ts';
import { awaitEstablished } from '../waits.ts';
import { isCrd, type Target } from './targets.ts';

/**
 * The CRDs of one batch. The API server takes them up one after another, needs up to seconds for a large one, and answers
 * everything else slowly meanwhile. So they are sent first, and only objects of their kinds wait for them.
 */
export class OwnCrds {
  readonly #run: Run;
  readonly #apply: (target: Target) => Promise<void>;
  readonly #sent: Target[] = [];
  readonly #underWay: Promise<Settled<void>>[] = [];
  readonly #established = new Set<Target>();
  #hasFailed = false;

  constructor(apply: (target: Target) => Promise<void>, run: Run) {
    this.#apply = apply;
    this.#run = run;
  }

  /** Whether one has been refused so far. */
  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  /** Sends those among the targets, the largest first, and returns the others. */
  begin(targets: readonly Target[]): readonly Target[] {
    const crds = targets.filter(({ object }) => isCrd(object)).sort((a, b) => sizeOf(b) - sizeOf(a));
    this.#sent.push(...crds);
    this.#underWay.push(settleAll(crds.map((crd) => () => this.#send(crd))));
    return targets.filter(({ object }) => !isCrd(object));
  }

  async #send(crd: Target): Promise<void> {
    try {
      await this.#apply(crd);
    } catch (error) {
      this.#hasFailed = true;
      throw error;
    }
  }

  /** What became wrong with those that were sent, once all of them are answered. */
  async errors(): Promise<readonly unknown[]> {
    return (await Promise.all(this.#underWay)).flatMap(({ errors }) => errors);
  }

  /** Waits until the kinds of these objects are served, where they are kinds of this batch's CRDs. */
  async awaitKindsOf(objects: readonly KubernetesObject[]): Promise<void> {
    const used = new Set(objects.map(kindInGroup));
    const crds = this.#sent.filter((crd) => used.has(kindDefinedBy(crd.object)) && !this.#established.has(crd));
    if (crds.length === 0) return;
    const errors = await this.errors();
    if (errors.length > 0) throw joinFailures(errors);
    await awaitEstablished(crds, this.#run);
    for (const crd of crds) this.#established.add(crd);
  }
}

const sizeOf = ({ object }: Target): number => JSON.stringify(object).length;

function kindDefinedBy(crd: KubernetesObject): string {
  const spec = crd['spec'] as { group?: string; names?: { kind?: string } } | undefined;
  return `${spec?.group}/${spec?.names?.kind}`;
}
