import { TshelmError } from '../support/errors.ts';
import { addTo } from '../support/group-by.ts';
import { compareText } from '../support/order.ts';
import { releaseId } from './releases.ts';
import { inOrderOfNeeds } from './run-graph.ts';
import type { ReleaseSpec } from './schema.ts';

/** What of the releases is meant, and of what they need. */
export interface GraphChoice {
  /** Those chosen; undefined: all. */
  readonly chosen?: readonly ReleaseSpec[] | undefined;
  /** `with`: what the chosen ones need directly is chosen too; `without`: what they need is left out. */
  readonly needs: 'refuse' | 'with' | 'without';
  /** `FILE:LINE` of what a release says that it needs. */
  readonly locate: (release: ReleaseSpec, need: string) => string;
}

/**
 * The releases in groups: each group needs only those before it. In a group the order is that of the files.
 * Fails with `stack-invalid` for a need that is nowhere defined, one that is not chosen, and a circle.
 */
export function groupsOf(releases: readonly ReleaseSpec[], { chosen, needs, locate }: GraphChoice): ReleaseSpec[][] {
  const byId = new Map(releases.map((release) => [releaseId(release), release]));
  refuseUndefined(byId, locate);
  const levels = levelsOf(byId, locate);
  const only = chosen === undefined ? undefined : new Set(chosen.map(releaseId));
  const included = chosenWithNeeds(byId, levels, only, needs);
  const groups: ReleaseSpec[][] = [];
  for (const [id, release] of byId) {
    if (!included.has(id)) continue;
    const level = levels.get(id) as number;
    const group = groups[level];
    if (group === undefined) groups[level] = [release];
    else group.push(release);
  }
  return groups.filter((group) => group !== undefined && group.length > 0);
}

type Locate = GraphChoice['locate'];

function refuseUndefined(byId: ReadonlyMap<string, ReleaseSpec>, locate: Locate): void {
  const dependents = new Map<string, string[]>();
  for (const [id, { needs = [] }] of byId) for (const need of needs) if (!byId.has(need)) addTo(dependents, need, id);
  for (const [need, ids] of dependents) {
    const quoted = ids.map((id) => `"${id}"`).join(', ');
    const name = need.split('/').at(-1);
    const message = `release(s) ${quoted} depend(s) on an undefined release "${need}". Perhaps you made a typo in "needs" or forgot defining a release named "${name}" with appropriate "namespace" and "kubeContext"? (${placesText(ids.map((id) => locate(byId.get(id) as ReleaseSpec, need)))})`;
    throw new TshelmError('stack-invalid', { message });
  }
}

/** How many releases precede each one on its longest way. */
function levelsOf(byId: ReadonlyMap<string, ReleaseSpec>, locate: Locate): ReadonlyMap<string, number> {
  const levels = new Map<string, number>();
  const nodes = [...byId].map(([id, { needs = [] }]) => ({ id, needs }));
  for (const { id, needs } of inOrderOfNeeds(nodes)) {
    levels.set(
      id,
      needs.reduce((level, need) => Math.max(level, (levels.get(need) as number) + 1), 0),
    );
  }
  const left = nodes.flatMap(({ id }) => (levels.has(id) ? [] : [id]));
  if (left.length > 0) throw circle(left, byId, locate);
  return levels;
}

function circle(left: readonly string[], byId: ReadonlyMap<string, ReleaseSpec>, locate: Locate): TshelmError {
  const path: string[] = [];
  let at = [...left].sort(compareText)[0] as string;
  while (!path.includes(at)) {
    path.push(at);
    at = (byId.get(at)?.needs ?? []).find((need) => left.includes(need)) as string;
  }
  const cycle = [at, ...path.slice(path.indexOf(at) + 1).reverse(), at];
  const places = cycle.slice(1).map((id, index) => locate(byId.get(id) as ReleaseSpec, cycle[index] as string));
  const message = `cycle detected: ${cycle.join(' -> ')} (${placesText(places)}): remove one of these needs`;
  return new TshelmError('stack-invalid', { message });
}

const placesText = (places: readonly string[]): string => [...new Set(places)].join(', ');

/** Which are in: the chosen ones and, if asked for, what they need directly. */
function chosenWithNeeds(
  byId: ReadonlyMap<string, ReleaseSpec>,
  levels: ReadonlyMap<string, number>,
  only: ReadonlySet<string> | undefined,
  needs: GraphChoice['needs'],
): ReadonlySet<string> {
  if (only === undefined) return new Set(byId.keys());
  const included = new Set(only);
  if (needs === 'without') return included;
  const deepestFirst = [...byId.keys()].sort((a, b) => (levels.get(b) as number) - (levels.get(a) as number));
  for (const id of deepestFirst) {
    if (!included.has(id)) continue;
    const missing = (byId.get(id)?.needs ?? []).filter((need) => !included.has(need));
    for (const need of missing) {
      if (needs === 'refuse') throw unselected(need, byId, included);
      included.add(need);
    }
  }
  return included;
}

function unselected(need: string, byId: ReadonlyMap<string, ReleaseSpec>, included: ReadonlySet<string>): TshelmError {
  const dependents = [...included].filter((id) => byId.get(id)?.needs?.includes(need)).map((id) => `"${id}"`);
  const last = dependents.at(-1);
  const named = dependents.length < 3 ? dependents.join(' and ') : `${dependents.slice(0, -1).join(', ')}, and ${last}`;
  const verb = dependents.length === 1 ? 'depends' : 'depend';
  const name = need.split('/').at(-1);
  const message = `release ${named} ${verb} on "${need}" which does not match the selectors; add a selector like "name=${name}", or skip or include these dependencies`;
  const remedies = [
    { kind: 'set-option', option: 'skipNeeds' },
    { kind: 'set-option', option: 'includeNeeds' },
  ] as const;
  return new TshelmError('stack-invalid', { message, details: { remedies } });
}
