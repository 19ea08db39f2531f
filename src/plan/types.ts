import type { Hook, HookEvent, Manifest } from '../manifest/types.ts';

/** What is done at one point of a plan. Batches run one after another; what is inside one runs together. */
export type Step =
  | { readonly kind: 'install-crds'; readonly manifests: readonly Manifest[] }
  | { readonly kind: 'create-namespace'; readonly name: string }
  /** Hook batches run one after another; the chains of a batch together; the hooks of a chain one after another. */
  | {
      readonly kind: 'run-hooks';
      readonly event: HookEvent;
      readonly batches: readonly (readonly (readonly Hook[])[])[];
    }
  | { readonly kind: 'apply'; readonly unit: Unit }
  | { readonly kind: 'delete'; readonly unit: Unit };

/**
 * A unit is applied (or deleted) batch by batch. Plain install is one unit with one batch holding all manifests;
 * `--wait=ordered` nests units for subcharts.
 */
export interface Unit {
  /** Chart name or alias. */
  readonly name: string;
  readonly batches: readonly Batch[];
}

export interface Batch {
  readonly nodes: readonly BatchNode[];
  /** Wait until every node is ready (or gone) before the next batch begins. */
  readonly wait: boolean;
}

export type BatchNode =
  | (NodeOrder & { readonly kind: 'resources'; readonly name: string; readonly manifests: readonly Manifest[] })
  | (NodeOrder & { readonly kind: 'unit'; readonly unit: Unit });

/** Where a node stands among those of its unit, and why. A plan without an order has no ids. */
interface NodeOrder {
  /** `chart:NAME`, `group:NAME`, `resource:…`, `weight:N` or `rest`; no two of one unit are the same. */
  readonly id?: string | undefined;
  /** The ids of nodes of the same unit that must be ready (when deleted: gone) before this one begins. */
  readonly after?: readonly string[] | undefined;
  /** What it waits for and where that is declared, for people: `bar (Chart.yaml depends-on)`. */
  readonly because: readonly string[];
}

export type WaitStrategy = 'hookOnly' | 'watcher' | 'legacy' | 'ordered';

export interface Plan {
  readonly action: 'install' | 'upgrade' | 'rollback' | 'uninstall' | 'test';
  readonly release: string;
  readonly namespace: string;
  readonly strategy: WaitStrategy;
  readonly steps: readonly Step[];
  readonly warnings: readonly string[];
  /** Those of the warnings that speak of the order and of what it endangers: what `--strict-plan` refuses. */
  readonly hazards?: readonly string[] | undefined;
}
