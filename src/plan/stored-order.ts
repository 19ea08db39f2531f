import { chartNamesOf } from '../chart/paths.ts';
import { annotations } from '../manifest/annotations.ts';
import type { Sentence, SentenceParts } from '../problem/sentence.ts';
import { manifestsOf } from './arrange.ts';
import { chooseStrategy, optionWait, plainWait } from './choice.ts';
import { warnLostHookModes } from './hook-modes.ts';
import { unitWithNeeds } from './ordered.ts';
import { declaredNeeds, recordedNeeds } from './outside-needs.ts';
import { type Guess, orderOfManifest, type ReadBack, readBackUnit, subchartsOf } from './read-back.ts';
import { isSameChart, type Revision } from './revision.ts';
import {
  isSequencing,
  knownNeeds,
  neededBy,
  pendingSequencing,
  readSequencing,
  type Sequencing,
  sequencingOf,
} from './sequencing.ts';
import { readStoredManifest } from './stored-manifest.ts';
import type { PlannedNeed, Unit, WaitMode, WaitStrategy } from './types.ts';

/** How a release is waited for, and with `ordered` in which order its resources go. */
export interface Order {
  readonly strategy: WaitStrategy;
  readonly unit?: Unit | undefined;
  /** What the whole release waits for outside of it. */
  readonly needs?: readonly PlannedNeed[] | undefined;
  /** For the record; undefined without an order. */
  readonly sequencing?: Sequencing | undefined;
  readonly warnings: readonly string[];
  /** That nothing declares the order that was asked for. */
  readonly undeclared?: string | undefined;
  /** Why it is an order, where nobody asked for one. */
  readonly note?: Sentence | undefined;
  /** The annotations that keep the chart's order in its record; undefined for a record that is there already. */
  readonly kept?: Readonly<Record<string, string>> | undefined;
}

/**
 * Says that a release was deployed in an order. Helm carries the labels of a release on to its next revisions, and drops
 * the field `sequencing`; a manifest with groups alone may be in Helm's own order, and then tells nothing.
 */
export const orderLabel = 'tshelm.dev/wait';

/** In the annotations of a recorded chart, which Helm carries on: the edges that are certain were followed. */
export const derivedAnnotation = { 'tshelm.dev/order': 'derived' } as const;

export const isDerived = (release: Revision | undefined): boolean =>
  Object.entries(derivedAnnotation).every(([key, value]) => release?.chart.metadata.annotations?.[key] === value);

export const wasInOrder = (release: Revision | undefined): release is Revision =>
  release?.labels[orderLabel] === 'ordered';

export const orderReusedNote = (release: Revision, history: readonly Revision[]): Sentence => [
  ...deployedInOrder(release, history),
  ', so this run uses it too (',
  optionWait('hookOnly'),
  ' turns it off)',
];

const orderIgnoredNote = (release: Revision, history: readonly Revision[], wait: WaitStrategy): Sentence => [
  ...deployedInOrder(release, history),
  '; ',
  optionWait(wait),
  ' ignores its order',
];

/** Names the revision of which it is known: a label does not tell, as Helm carries it on to revisions that it makes. */
function deployedInOrder(release: Revision, history: readonly Revision[]): SentenceParts {
  const known = [release, ...history.filter(({ version }) => version < release.version).reverse()];
  const found = known.find(({ sequencing }) => isSequencing(sequencing)) ?? firstOrdered([...history, release]);
  const which =
    found === undefined ? `an earlier revision of ${release.name}` : `revision ${found.version} of ${release.name}`;
  return [`${which} was deployed with `, optionWait(isDerived(found ?? release) ? 'auto' : 'ordered')];
}

/**
 * The order of a stored revision: `requested`, or as it was deployed. Where Helm wrote the record, which drops
 * `sequencing`, an earlier revision tells whether and in which order subcharts go.
 */
export function storedOrder(
  release: Revision,
  history: readonly Revision[],
  wait: WaitMode | undefined,
  fallback: WaitStrategy = plainWait(wait) ?? 'hookOnly',
): Order {
  const requested = plainWait(wait);
  const earlier = lastSequencing(release, history);
  const manifests = readStoredManifest(release.manifest);
  const wasOrdered = isSequencing(release.sequencing) || wasInOrder(release);
  const isCarriedOn = requested === undefined && wasOrdered;
  const chosen = chooseStrategy(isCarriedOn ? 'ordered' : requested, fallback, manifests);
  const { strategy } = chosen;
  const reason = requested !== undefined && wasOrdered ? orderIgnoredNote(release, history, requested) : chosen.note;
  // Without --wait, Helm's way is what everybody expects of a release that was not deployed in order.
  const ofHooks = warnLostHookModes(release, history);
  if (strategy !== 'ordered')
    return { strategy, warnings: ofHooks, note: requested === undefined ? undefined : reason };
  const note = isCarriedOn ? orderReusedNote(release, history) : chosen.note;
  const kept = readSequencing(release.sequencing, manifests);
  const derives = wait === 'auto' || isDerived(release);
  if (kept !== undefined && (!derives || kept.isFree)) {
    const needs = isSequencing(release.sequencing) ? neededBy(release.sequencing) : [];
    return { strategy, unit: kept, needs, sequencing: pendingSequencing(kept, needs), warnings: ofHooks, note };
  }
  const { unit: declared, guesses } = kept === undefined ? readBack() : { unit: kept, guesses: [] };
  const isKnown = knownIn([release, ...history]);
  const { outside, own } = declaredNeeds(manifestsOf(declared), release.namespace);
  const known = new Map([...outside].map(([manifest, needs]) => [manifest, needs.filter(isKnown)]));
  const { unit } = unitWithNeeds(declared, { outside: known, own }, derives);
  const ofRelease = recordedNeeds(release.chart.metadata);
  const needs = ofRelease.filter(isKnown);
  const unknown = [...ofRelease, ...[...outside.values()].flat()].filter((need) => !isKnown(need));
  const warnings = [
    ...ofHooks,
    ...guesses.map((guess) => guessText(guess, release)),
    ...new Set(unknown.map((need) => unknownUrlText(need, release))),
  ];
  return { strategy, unit, needs, sequencing: pendingSequencing(unit, needs), warnings, note };

  function readBack(): ReadBack {
    return readBackUnit({
      manifests,
      chart: chartNamesOf(manifests[0]?.source ?? '')[0] || release.chart.metadata.name,
      subcharts: release.chart.metadata.dependencies?.map(({ name }) => name) ?? [],
      annotation: edgesOf(release, history),
      earlier,
      isFree: derives,
    });
  }
}

/**
 * `helm.sh/depends-on/subcharts` of a revision's chart. Where it is no map, because Helm dropped the edges from the chart
 * that it deployed, the map of the same chart in another revision tells them, if that had all of these subcharts.
 */
function edgesOf(release: Revision, history: readonly Revision[]): string | undefined {
  const own = edgesIn(release);
  if (own?.trimStart().startsWith('{')) return own;
  const subcharts = [...subchartsIn(release)];
  const others = history
    .filter((other) => other.version !== release.version && isSameChart(other, release))
    .sort((a, b) => Math.abs(a.version - release.version) - Math.abs(b.version - release.version));
  const known = others.find((other) => {
    const there = subchartsIn(other);
    return edgesIn(other)?.trimStart().startsWith('{') === true && subcharts.every((name) => there.has(name));
  });
  return known === undefined ? own : edgesIn(known);
}

/** A chart may have written the annotation that names a URL: it counts where a record says that an order file did. */
function knownIn(history: readonly Revision[]): (need: PlannedNeed) => boolean {
  const recorded = history.flatMap(({ sequencing }) => (isSequencing(sequencing) ? knownNeeds(sequencing) : []));
  const known = new Set(recorded);
  return ({ kind, text }) => kind !== 'url' || known.has(text);
}

const unknownUrlText = ({ text }: PlannedNeed, { name, version }: Revision): string =>
  `revision ${version} of ${name} needs ${text}, but no record says that an order file named this URL (Helm drops it from its records), so it is not waited for`;

const edgesIn = ({ chart }: Revision): string | undefined =>
  chart.metadata.annotations?.[annotations.dependsOnSubcharts];

const subchartsIn = ({ manifest }: Revision): ReadonlySet<string> =>
  new Set(subchartsOf(manifest).flatMap((name) => name ?? []));

const guessText = ({ chart, subcharts }: Guess, { name, version }: Revision): string =>
  `revision ${version} of ${name} does not record the order of the subcharts of ${chart} (Helm drops it from its records), so ${subcharts.join(', ')} run one after another, in the order of the manifest`;

/**
 * What the newest revision knows of an order, this one or one before it. Helm drops `sequencing` also from the revision
 * that it supersedes; the manifest stays in its order.
 */
function lastSequencing(release: Revision, history: readonly Revision[]): Sequencing | undefined {
  const candidates = [release, ...history.filter(({ version }) => version < release.version).reverse()];
  const kept = candidates.filter((other) => isSameChart(other, release)).map(({ sequencing }) => sequencing);
  const known = kept.find((sequencing) => isSequencing(sequencing));
  if (known !== undefined) return known;
  for (const { sequencing, manifest, chart } of candidates) {
    if (isSequencing(sequencing)) return sequencing;
    const unit = orderOfManifest(manifest, chart.metadata.name);
    if (unit !== undefined) return sequencingOf(unit);
  }
  const first = firstOrdered([...history, release]);
  const unit = first && orderOfManifest(first.manifest, first.chart.metadata.name, true);
  return unit && sequencingOf(unit);
}

/** The revision that brought the label: Helm only carries it on, so it was deployed in an order. */
function firstOrdered(history: readonly Revision[]): Revision | undefined {
  const byVersion = new Map(history.map((release) => [release.version, release]));
  return [...byVersion.values()].find((release) => {
    const before = byVersion.get(release.version - 1);
    return wasInOrder(release) && (release.version === 1 || (before !== undefined && !wasInOrder(before)));
  });
}
