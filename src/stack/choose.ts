import { type GraphChoice, groupsOf } from './graph.ts';
import { located } from './location.ts';
import type { StackFile } from './read-stack.ts';
import { isWanted, refuseDuplicates, releaseId } from './releases.ts';
import type { ReleaseSpec } from './schema.ts';
import { isEnabled, releaseMatcher } from './selectors.ts';

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
  refuseDuplicates(chosen, ({ name }) => file.locate({ field: 'name', release: name }));
  return chosen;
}

/** `FILE:LINE` of what a release of the file says that it needs. */
export const needPlace = ({ name }: ReleaseSpec, need: string, { locate }: StackFile): string =>
  locate({ field: 'needs', release: name, text: need.split('/').at(-1) });

/** Releases that are shown as one graph, and the file that they come from; undefined where they come from several. */
export interface ShownGraph {
  readonly source: string | undefined;
  readonly releases: readonly ReleaseSpec[];
  readonly locate: GraphChoice['locate'];
}

/** A graph for each file, as helmfile shows them; or one for all, where a release needs one of another file. */
export function shownGraphs(files: readonly StackFile[]): readonly ShownGraph[] {
  const graphs = files.map((file): ShownGraph => {
    const locate: ShownGraph['locate'] = (release, need) => needPlace(release, need, file);
    return { source: file.source, releases: selectedForShow(file), locate };
  });
  const all = graphs.flatMap(({ releases }) => releases);
  const known = new Set(all.map(releaseId));
  const isJoined = graphs.some(({ releases }) => {
    const own = new Set(releases.map(releaseId));
    return releases.some(({ needs = [] }) => needs.some((need) => known.has(need) && !own.has(need)));
  });
  if (!isJoined) return graphs;
  const graphOf = new Map(graphs.flatMap((graph) => graph.releases.map((release) => [release, graph] as const)));
  return [{ source: undefined, releases: all, locate: (one, need) => graphOf.get(one)?.locate(one, need) ?? '' }];
}

/** Those that the selectors choose and whose condition holds. */
export function selected(file: StackFile): readonly ReleaseSpec[] {
  const isChosen = releaseMatcher(file.selectors);
  return file.releases.filter((release) => isChosen(release) && isConditionMet(release, file));
}

/** Whether the condition of a release holds. Errors: `stack-invalid`, naming its line. */
export const isConditionMet = (release: ReleaseSpec, { values, environment, locate }: StackFile): boolean =>
  located(
    () => locate({ field: 'condition', release: release.name }),
    () => isEnabled(release, values),
    `correct it, or set it in the values of environment "${environment.name}"`,
  );

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

/** The ids of all that the chosen releases of all files need, directly or not, where the options ask for what they need. */
export function idsOfAllNeeds(files: readonly StackFile[], options: NeedsOptions): ReadonlySet<string> {
  if (needsOf(options) !== 'with') return new Set();
  const byId = new Map(
    files.flatMap(({ releases }) => releases.map((release) => [releaseId(release), release] as const)),
  );
  const found = new Set(files.flatMap(selected).flatMap(({ needs = [] }) => needs));
  for (const id of found) for (const need of byId.get(id)?.needs ?? []) found.add(need);
  return found;
}

/**
 * The releases of a file to be worked on, group by group; with those that they need, as the options say, and with those
 * that releases of other files need.
 */
export function plannedGroups(
  file: StackFile,
  options: NeedsOptions,
  needed: ReadonlySet<string> = new Set(),
): ReleaseSpec[][] {
  const own = selected(file);
  const ids = new Set(own.map(releaseId));
  const isAdded = (id: string): boolean => needed.has(id) && !ids.has(id);
  const chosen = [...own, ...file.releases.filter((one) => isAdded(releaseId(one)))];
  if (chosen.length === 0) return [];
  const known = withoutDuplicates(file.releases, chosen);
  refuseDuplicates(known, ({ name }) => file.locate({ field: 'name', release: name }));
  const all = options.includeTransitiveNeeds ? withAllNeeds(chosen, known) : chosen;
  const locate: GraphChoice['locate'] = (release, need) => needPlace(release, need, file);
  return groupsOf(known, { chosen: all, needs: needsOf(options), locate });
}

const needsOf = ({ skipNeeds, includeNeeds, includeTransitiveNeeds }: NeedsOptions): GraphChoice['needs'] =>
  includeNeeds || includeTransitiveNeeds ? 'with' : skipNeeds ? 'without' : 'refuse';

/** Of releases that are one, the chosen one; so a selector may tell two definitions apart. */
function withoutDuplicates(releases: readonly ReleaseSpec[], chosen: readonly ReleaseSpec[]): readonly ReleaseSpec[] {
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
