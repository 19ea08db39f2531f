import type { ChartDraw, HookDraw, HookEvent, ItemDraw, PlaceDraw } from './draw.ts';
import { hookId, isBroken, itemId, subchartName } from './names.ts';

// What waits for what in a drawn chart, by docs/ordering.md and not by src/plan: the judge of a campaign.

/** An edge from what waits to what it waits for, by their ids. */
export type Wait = readonly [later: string, earlier: string];

export interface DrawnHook {
  readonly id: string;
  readonly weight: number;
  readonly draw: HookDraw;
}

/** The ids of a chart's resources, subcharts that are off left out. */
export const itemIds = (draw: ChartDraw, release: string): readonly string[] =>
  everyItem(draw, release).map(({ id }) => id);

/** Which workloads wait for the ConfigMap that they mount, where edges that are certain are followed. */
export const derivedWaits = (draw: ChartDraw, release: string, path = ''): readonly Wait[] => [
  ...draw.items.flatMap((item, index): readonly Wait[] => {
    const mounted = mountedBy(draw, item);
    return mounted === undefined
      ? []
      : [[itemId(release, path, index, item), itemId(release, path, mounted, draw.items[mounted] as ItemDraw)]];
  }),
  ...on(draw).flatMap(({ index, inside }) => derivedWaits(inside, release, `${path}${subchartName(index)}`)),
];

/** The index of the ConfigMap that a workload mounts. */
export function mountedBy({ items }: ChartDraw, { kind, place, mounts }: ItemDraw): number | undefined {
  const isMounting = mounts && place === null && (kind === 'Deployment' || kind === 'StatefulSet');
  const index = items.findIndex((other) => other.kind === 'ConfigMap');
  return isMounting && items[index]?.place === null ? index : undefined;
}

/** Of those that wait for what is outside of the release. */
export const needyIds = (draw: ChartDraw, release: string): readonly string[] =>
  everyItem(draw, release).flatMap(({ id, item }) => (item.isNeedy ? [id] : []));

/** Whether a resource of it never gets ready. */
export const hasBrokenItem = (draw: ChartDraw): boolean => everyItem(draw, 'r').some(({ item }) => isBroken(item));

/** What is left of a chart that Helm has packaged: the annotations alone. */
export const packagedByHelm = (draw: ChartDraw): ChartDraw => ({
  ...draw,
  subcharts: draw.subcharts.map((subchart) => ({
    ...subchart,
    after: draw.form === 'field' ? [] : subchart.after,
    inside: packagedByHelm(subchart.inside),
  })),
});

/** What an ordered run makes of it: it warns where an order may be lost, and refuses what may be inverted. */
export function lossOf(draw: ChartDraw): 'nothing' | 'warned' | 'refused' {
  const filled = on(draw).filter(({ inside }) => everyItem(inside, 'r').length > 0);
  const named = ownAfterOf(draw);
  const mayBeLost = draw.form === 'field' && filled.length > 1;
  const mayBeInverted = mayBeLost && named.length > 0 && filled.some(({ index }) => !named.includes(index));
  const inside = on(draw).map((subchart) => lossOf(subchart.inside));
  if (mayBeInverted || inside.includes('refused')) return 'refused';
  return mayBeLost || inside.includes('warned') ? 'warned' : 'nothing';
}

/** The hooks of all its charts for an event, in no order. */
export function hooksOf(draw: ChartDraw, event: HookEvent, release: string): readonly DrawnHook[] {
  return everyHook(draw, release, '').filter(({ draw: hook }) => hook.events.includes(event));
}

/** The ids of hooks that fail, among those of these events. */
export const brokenHooks = (draw: ChartDraw, events: readonly HookEvent[]): readonly string[] =>
  events.flatMap((event) => hooksOf(draw, event, 'r').flatMap(({ id, draw: hook }) => (isBroken(hook) ? [id] : [])));

/** The ids of all hooks, of whatever event. */
export const hookIds = (draw: ChartDraw, release: string): readonly string[] =>
  everyHook(draw, release, '').map(({ id }) => id);

/** Which hooks of an event wait for which: those of a lower weight, and by name where no chart runs its hooks together. */
export function hookWaits(draw: ChartDraw, event: HookEvent, release: string): readonly Wait[] {
  const hooks = hooksOf(draw, event, release);
  const isSerial = hookModes(draw).every((mode) => mode === 'false');
  const nameOf = (id: string): string => id.slice(id.indexOf('/') + 1);
  return hooks.flatMap((hook) =>
    hooks
      .filter(
        (other) =>
          other.weight < hook.weight ||
          (isSerial && other.weight === hook.weight && nameOf(other.id) < nameOf(hook.id)),
      )
      .map((other): Wait => [hook.id, other.id]),
  );
}

/** Which resources wait for which, through others too. */
export function waitsOf(draw: ChartDraw, release: string): readonly Wait[] {
  const after = new Map<string, Set<string>>();
  for (const [later, earlier] of waitsIn(draw, release, '')) {
    after.set(later, (after.get(later) ?? new Set()).add(earlier));
  }
  const all = (id: string, found = new Set<string>()): ReadonlySet<string> => {
    for (const other of after.get(id) ?? []) if (!found.has(other)) all(other, found.add(other));
    return found;
  };
  return [...after.keys()].flatMap((id) => product([id], [...all(id)]));
}

/** What a subchart declares, without itself, higher ones and those that are not there. */
export const afterSubchartsOf = ({ subcharts }: ChartDraw, index: number): readonly number[] =>
  (subcharts[index]?.after ?? []).filter((other) => other < index);

export const ownAfterOf = ({ ownAfter, subcharts }: ChartDraw): readonly number[] =>
  ownAfter.filter((index) => index < subcharts.length);

/** What a group's member declares: lower groups that somebody is in. */
export const afterGroupsOf = (draw: ChartDraw, { group, after }: Grouped): readonly number[] =>
  after.filter((other) => other < group && groupsOf(draw).has(other));

type Grouped = Extract<PlaceDraw, { group: number }>;

function groupsOf({ items }: ChartDraw): ReadonlyMap<number, readonly Grouped[]> {
  const groups = new Map<number, Grouped[]>();
  for (const { place } of items) {
    if (place === null || 'weight' in place) continue;
    groups.set(place.group, [...(groups.get(place.group) ?? []), place]);
  }
  return groups;
}

const hookModes = (draw: ChartDraw): readonly ChartDraw['hookMode'][] => [
  draw.hookMode,
  ...draw.subcharts.flatMap(({ inside }) => hookModes(inside)),
];

const on = ({ subcharts }: ChartDraw): readonly { readonly index: number; readonly inside: ChartDraw }[] =>
  subcharts.flatMap(({ isOff, inside }, index) => (isOff ? [] : [{ index, inside }]));

const ownItems = (draw: ChartDraw, release: string, path: string) =>
  draw.items.map((item, index) => ({ item, id: itemId(release, path, index, item) }));

const everyItem = (
  draw: ChartDraw,
  release: string,
  path = '',
): readonly { readonly item: ItemDraw; readonly id: string }[] => [
  ...ownItems(draw, release, path),
  ...on(draw).flatMap(({ index, inside }) => everyItem(inside, release, `${path}${subchartName(index)}`)),
];

const everyHook = (draw: ChartDraw, release: string, path: string): readonly DrawnHook[] => [
  ...draw.hooks.map((hook, index) => ({ id: hookId(release, path, index, hook), weight: hook.weight, draw: hook })),
  ...on(draw).flatMap(({ index, inside }) => everyHook(inside, release, `${path}${subchartName(index)}`)),
];

function waitsIn(draw: ChartDraw, release: string, path: string): readonly Wait[] {
  const own = ownItems(draw, release, path);
  const inSubchart = new Map(
    on(draw).map(({ index, inside }) => [index, everyItem(inside, release, `${path}${subchartName(index)}`)] as const),
  );
  const idsIn = (index: number): readonly string[] => (inSubchart.get(index) ?? []).map(({ id }) => id);
  const named = namedSubcharts(draw);
  const between = [...inSubchart.keys()].flatMap((index) =>
    [...subchartsBefore(draw, named.includes(index) ? [index] : [index, ...named])]
      .filter((other) => other !== index)
      .flatMap((other) => product(idsIn(index), idsIn(other))),
  );
  const toOwn = own.flatMap(({ id, item }) => {
    const declared = draw.items.flatMap(({ place }) =>
      groupOf(place) !== undefined && groupOf(place) === groupOf(item.place) ? subchartOf(draw, place) : [],
    );
    const before = subchartsBefore(draw, [...named, ...declared]);
    return [...before].flatMap((index) => product([id], idsIn(index)));
  });
  return [
    ...between,
    ...toOwn,
    ...waitsAmongOwn(draw, own),
    ...on(draw).flatMap(({ index, inside }) => waitsIn(inside, release, `${path}${subchartName(index)}`)),
  ];
}

const product = (later: readonly string[], earlier: readonly string[]): readonly Wait[] =>
  later.flatMap((one) => earlier.map((other): Wait => [one, other]));

const groupOf = (place: PlaceDraw | null): number | undefined =>
  place === null || 'weight' in place ? undefined : place.group;

const subchartOf = ({ subcharts }: ChartDraw, place: PlaceDraw | null): readonly number[] =>
  place !== null && 'group' in place && place.subchart !== null && place.subchart < subcharts.length
    ? [place.subchart]
    : [];

/** These subcharts, and all that they wait for, through those that are off too. */
function subchartsBefore(draw: ChartDraw, indexes: readonly number[]): ReadonlySet<number> {
  const found = new Set<number>();
  const visit = (index: number): void => {
    if (found.has(index)) return;
    found.add(index);
    for (const other of afterSubchartsOf(draw, index)) visit(other);
  };
  for (const index of indexes) visit(index);
  return found;
}

/** The subcharts that any declaration of Chart.yaml names, on either side: own resources and the other subcharts wait for them. */
function namedSubcharts(draw: ChartDraw): readonly number[] {
  const edges = draw.subcharts.flatMap((_, index) => {
    const after = afterSubchartsOf(draw, index);
    return after.length > 0 ? [index, ...after] : [];
  });
  return [...new Set([...edges, ...ownAfterOf(draw)])];
}

/** Groups by what they declare; a group that waits for nobody, and that nobody waits for, is among the rest. */
function waitsAmongOwn(
  draw: ChartDraw,
  own: readonly { readonly item: ItemDraw; readonly id: string }[],
): readonly Wait[] {
  const groups = groupsOf(draw);
  const after = new Map([...groups].map(([group, members]) => [group, afterOf(draw, members)] as const));
  const isConnected = (group: number): boolean =>
    (after.get(group)?.size ?? 0) > 0 ||
    (groups.get(group) ?? []).some((member) => isLive(draw, subchartOf(draw, member))) ||
    [...after.values()].some((others) => others.has(group));
  const stageOf = ({ place }: ItemDraw): Stage => {
    const group = groupOf(place);
    if (group !== undefined && isConnected(group)) return { group };
    return { weight: place !== null && 'weight' in place ? place.weight : 0 };
  };
  return own.flatMap(({ id, item }) =>
    own.filter((other) => isBehind(stageOf(item), stageOf(other.item), after)).map((other): Wait => [id, other.id]),
  );
}

/** Whether anything is left to wait for, once subcharts that are off have passed on their edges. */
const isLive = (draw: ChartDraw, indexes: readonly number[]): boolean =>
  [...subchartsBefore(draw, indexes)].some((index) => draw.subcharts[index]?.isOff === false);

const afterOf = (draw: ChartDraw, members: readonly Grouped[]): ReadonlySet<number> =>
  new Set(members.flatMap((member) => afterGroupsOf(draw, member)));

/** Where no resource of a chart has a weight, the rest all has weight 0 and starts together. */
type Stage = { readonly group: number } | { readonly weight: number };

function isBehind(later: Stage, earlier: Stage, after: ReadonlyMap<number, ReadonlySet<number>>): boolean {
  if ('weight' in later) return 'group' in earlier || earlier.weight < later.weight;
  if ('weight' in earlier) return false;
  const waitsFor = (from: number): boolean =>
    [...(after.get(from) ?? [])].some((other) => other === earlier.group || waitsFor(other));
  return waitsFor(later.group);
}
