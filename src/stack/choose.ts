import { type GraphChoice, groupsOf } from './graph.ts';
import type { StackFile } from './read-stack.ts';
import { isWanted, refuseDuplicates, releaseId } from './releases.ts';
import type { ReleaseSpec } from './schema.ts';
import { chooser, isEnabled } from './selectors.ts';

export interface NeedsOptions {
  /** What the chosen releases need is taken too, as far as one step. */
  readonly includeNeeds?: boolean | undefined;
  /** All that they need, and what that needs. */
  readonly includeTransitiveNeeds?: boolean | undefined;
  /** What they need and is not chosen is left out. */
  readonly skipNeeds?: boolean | undefined;
}

/** Those that the selectors of a file choose; `build` and `list` ask for no conditions where there are no selectors. */
export function selectedForShow(file: StackFile): readonly ReleaseSpec[] {
  const chosen = file.selectors.length === 0 ? file.releases : selected(file);
  refuseDuplicates(chosen);
  return chosen;
}

/** Releases that are shown as one graph, and the file that they come from; undefined where they come from several. */
export interface ShownGraph {
  readonly source: string | undefined;
  readonly releases: readonly ReleaseSpec[];
}

/** A graph for each file, as helmfile shows them; or one for all, where a release needs one of another file. */
export function shownGraphs(files: readonly StackFile[]): readonly ShownGraph[] {
  const graphs = files.map((file) => ({ source: file.source, releases: selectedForShow(file) }));
  const all = graphs.flatMap(({ releases }) => releases);
  const known = new Set(all.map(releaseId));
  const isJoined = graphs.some(({ releases }) => {
    const own = new Set(releases.map(releaseId));
    return releases.some(({ needs = [] }) => needs.some((need) => known.has(need) && !own.has(need)));
  });
  return isJoined ? [{ source: undefined, releases: all }] : graphs;
}

/** Those that the selectors choose and whose condition holds. */
export function selected({ releases, selectors, values }: StackFile): readonly ReleaseSpec[] {
  const isChosen = chooser(selectors);
  return releases.filter((release) => isChosen(release) && isEnabled(release, values));
}

/** For what is done file by file: without the needs that another file meets. Those that no file meets stay. */
export function withOwnNeeds(files: readonly StackFile[]): readonly StackFile[] {
  const known = new Set(files.flatMap(({ releases }) => releases.map(releaseId)));
  return files.map((file) => {
    const own = new Set(file.releases.map(releaseId));
    const isOwn = (need: string): boolean => own.has(need) || !known.has(need);
    const releases = file.releases.map((one) =>
      (one.needs?.every(isOwn) ?? true) ? one : { ...one, needs: one.needs?.filter(isOwn) },
    );
    return { ...file, releases };
  });
}

/** The releases of a file to be worked on, group by group; with those that they need, as the options say. */
export function plannedGroups(file: StackFile, options: NeedsOptions): ReleaseSpec[][] {
  const chosen = selected(file);
  if (chosen.length === 0) return [];
  const known = withoutTwins(file.releases, chosen);
  refuseDuplicates(known);
  const all = options.includeTransitiveNeeds ? withAllNeeds(chosen, known) : chosen;
  return groupsOf(known, { chosen: all, needs: needsOf(options) });
}

const needsOf = ({ skipNeeds, includeNeeds, includeTransitiveNeeds }: NeedsOptions): GraphChoice['needs'] =>
  includeNeeds || includeTransitiveNeeds ? 'with' : skipNeeds ? 'without' : 'refuse';

/** Of releases that are one, the chosen one; so a selector may tell two definitions apart. */
function withoutTwins(releases: readonly ReleaseSpec[], chosen: readonly ReleaseSpec[]): readonly ReleaseSpec[] {
  const counts = new Map<string, number>();
  for (const release of releases) counts.set(releaseId(release), (counts.get(releaseId(release)) ?? 0) + 1);
  return releases.filter((release) => counts.get(releaseId(release)) === 1 || chosen.includes(release));
}

function withAllNeeds(chosen: readonly ReleaseSpec[], known: readonly ReleaseSpec[]): readonly ReleaseSpec[] {
  const byId = new Map(known.map((release) => [releaseId(release), release]));
  const found = new Set(chosen);
  for (const release of found) {
    for (const need of release.needs ?? []) {
      const needed = byId.get(need);
      if (needed !== undefined) found.add(needed);
    }
  }
  return [...found];
}

export const wanted = (releases: readonly ReleaseSpec[]): readonly ReleaseSpec[] => releases.filter(isWanted);
