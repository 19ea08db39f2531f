import { installOrder, sortByKind, uninstallOrder } from '../manifest/kind-order.ts';
import type { Manifest } from '../manifest/types.ts';
import { groupBy } from '../support/group-by.ts';
import type { KindWaves } from './types.ts';

/**
 * The kinds behind which the API server needs a pause, because it checks one object against another: a Pod needs its
 * Namespace, PriorityClass and ServiceAccount, a quota must be there before what it limits, a binding names a role, a
 * webhook would be asked about everything that follows. Kinds that are in no wave are custom ones and come last.
 */
const lastKindsOfWaves = ['Namespace', 'ClusterRoleList', 'Ingress', 'ValidatingWebhookConfiguration'] as const;

/**
 * Kinds of the second wave that are behind ClusterRoleBinding in Helm's order: bindings only need roles to be there,
 * and Services, which need nothing, take the API server longest, one address after another.
 */
const earlier = new Set(['Role', 'RoleList', 'Service']);

const installWaveOf = (kind: string): number => {
  if (earlier.has(kind)) return 1;
  const rank = installOrder.indexOf(kind);
  const wave = lastKindsOfWaves.findIndex((last) => rank <= installOrder.indexOf(last));
  return rank === -1 || wave === -1 ? lastKindsOfWaves.length : wave;
};

/**
 * The manifests of one batch in the waves in which they are applied: Helm's install order by kind, with as few barriers
 * as the API server allows. What is in one wave is applied together.
 */
export const applyWaves = (manifests: readonly Manifest[]): readonly (readonly Manifest[])[] =>
  waves(sortByKind(manifests, kindOf), installWaveOf);

/** Webhooks go first, so that they do not stand in the way; custom resources while their definition is still there. */
const uninstallWaveOf = (kind: string): number => {
  if (webhooks.has(kind)) return 0;
  const rank = uninstallOrder.indexOf(kind);
  if (rank === -1 || rank < uninstallOrder.indexOf('CustomResourceDefinition')) return 1;
  return rank < uninstallOrder.indexOf('Namespace') ? 2 : 3;
};
const webhooks = new Set(['ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration', 'APIService']);

/** As {@link applyWaves} for deletion, in Helm's uninstall order by kind. */
export const deleteWaves = (manifests: readonly Manifest[]): readonly (readonly Manifest[])[] =>
  waves(sortByKind(manifests, kindOf, uninstallOrder), uninstallWaveOf);

const kindOf = (manifest: Manifest): string => manifest.object.kind;

function waves(manifests: readonly Manifest[], waveOf: (kind: string) => number): readonly (readonly Manifest[])[] {
  const found: Manifest[][] = [];
  for (const manifest of manifests) (found[waveOf(kindOf(manifest))] ??= []).push(manifest);
  return found.filter((wave) => wave !== undefined);
}

/** The kinds of waves, each in its order. */
export const kindsOfWaves = (found: readonly (readonly Manifest[])[]): KindWaves =>
  found.map((wave) => [...new Set(wave.map(kindOf))]);

/** What is due, in a plan's waves: those that have nothing of it are passed over. Items of one kind keep their order. */
export function inWaves<T>(
  items: readonly T[],
  kindOfItem: (item: T) => string,
  planned: KindWaves,
): readonly (readonly T[])[] {
  const byKind = groupBy(items, kindOfItem);
  const due = planned.map((kinds) => kinds.flatMap((kind) => byKind.get(kind) ?? []));
  const count = due.reduce((sum, wave) => sum + wave.length, 0);
  if (count !== items.length) throw new Error('internal: a kind is in no wave of its plan');
  return due.filter((wave) => wave.length > 0);
}
