import fc from 'fast-check';

/** Charts by chance, as plain data: what a campaign deploys, and what shrinks when it fails. */
export interface ChartDraw {
  /** `field`: `depends-on` in Chart.yaml; `map`: the annotation with all edges, which Helm keeps. */
  readonly form: 'field' | 'map';
  /** The keys of groups: `helm.sh/resource-group` or `helm.sh/layer`. */
  readonly keys: 'groups' | 'layers';
  readonly hookMode: 'false' | 'true' | 'otherChartsOnly';
  readonly subcharts: readonly SubchartDraw[];
  /** The subcharts that the chart's own resources name, by index. */
  readonly ownAfter: readonly number[];
  readonly items: readonly ItemDraw[];
  readonly hooks: readonly HookDraw[];
}

export interface SubchartDraw {
  /** The subcharts that this one waits for: lower indexes, so that there is no circle; others are left out. */
  readonly after: readonly number[];
  readonly isOff: boolean;
  readonly inside: ChartDraw;
}

export interface ItemDraw {
  readonly kind: ItemKind;
  readonly place: PlaceDraw | null;
  readonly readyMs: number;
  readonly goneMs: number;
  /** A Job fails; a Deployment's image is not found. Of the other kinds nothing comes of it. */
  readonly isBroken: boolean;
  /** Whether each version of the chart brings new pods. */
  readonly rolls: boolean;
  /** Whether it waits for what is outside of the release. */
  readonly isNeedy: boolean;
  /** Whether it mounts a ConfigMap of its chart, where neither declares an order: an edge that is certain. */
  readonly mounts: boolean;
}

export type ItemKind = 'ConfigMap' | 'Deployment' | 'StatefulSet' | 'Job';

/** `after`: groups with a lower number, which somebody must be in; `subchart`: waited for as a whole. */
export type PlaceDraw =
  | { readonly group: number; readonly after: readonly number[]; readonly subchart: number | null }
  | { readonly weight: number };

export interface HookDraw {
  readonly kind: 'ConfigMap' | 'Job' | 'Pod';
  readonly events: readonly HookEvent[];
  readonly weight: number;
  /** [], or some with `before-hook-creation`: without it, an object that is there is a failure. */
  readonly policies: readonly HookPolicy[];
  readonly readyMs: number;
  readonly isBroken: boolean;
}

export const hookEvents = [
  'pre-install',
  'post-install',
  'pre-upgrade',
  'post-upgrade',
  'pre-rollback',
  'post-rollback',
  'pre-delete',
  'post-delete',
] as const;
export type HookEvent = (typeof hookEvents)[number];
export type HookPolicy = 'before-hook-creation' | 'hook-succeeded' | 'hook-failed';

/** What a user, or a CI job, does next. Numbers choose among what is there then, so that any part may be left out. */
export type ActDraw =
  | ({ readonly kind: 'deploy'; readonly version: number; readonly isEager: boolean } & Changing)
  | ({ readonly kind: 'resume' } & Changing)
  | ({ readonly kind: 'rollback'; readonly back: number } & Changing)
  | {
      readonly kind: 'uninstall';
      readonly deletesHooks: boolean;
      readonly keepsHistory: boolean;
      readonly disturbance: Disturbance | null;
    }
  /** What Helm itself does to the same release in between. */
  | { readonly kind: 'helm'; readonly does: 'upgrade' | 'rollback' | 'uninstall'; readonly version: number };

interface Changing {
  readonly isUndone: boolean;
  /** `--cleanup-on-fail`, of an upgrade or a rollback. */
  readonly isCleanedUp: boolean;
  /** So little time that it may not be enough. */
  readonly isHurried: boolean;
  /** `bare`: without `--wait`, as it was deployed before. */
  readonly wait: 'ordered' | 'bare' | 'watcher' | 'auto';
  readonly disturbance: Disturbance | null;
}

/** `at`: the request that it comes with, from 1. `every`: faults at every so many requests. */
export type Disturbance =
  | { readonly kind: 'signal'; readonly signal: 'SIGINT' | 'SIGTERM' | 'SIGKILL'; readonly at: number }
  | { readonly kind: 'faults'; readonly fault: FaultName; readonly every: number };

export const faultNames = ['429', '500', '503', 'lost answer', 'reset', 'lost reset', 'break-off', 'watches'] as const;
export type FaultName = (typeof faultNames)[number];

/** Versions of one chart, and what is done with them. */
export interface Scenario {
  readonly charts: readonly ChartDraw[];
  /** The versions that are deployed from an archive that `helm package` made: fields of Chart.yaml that Helm does not know are lost. */
  readonly packaged: readonly number[];
  /** The versions whose order is in an order file and not in the chart. */
  readonly orderFiles: readonly number[];
  readonly acts: readonly ActDraw[];
}

/** True in one of `of` draws; shrinks to false. */
const seldom = (of: number): fc.Arbitrary<boolean> => fc.nat(of - 1).map((drawn) => drawn === of - 1);
const below = (count: number, maxLength: number): fc.Arbitrary<number[]> =>
  fc.uniqueArray(fc.nat(count), { maxLength });

const place: fc.Arbitrary<PlaceDraw> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ group: fc.nat(3), after: below(3, 2), subchart: fc.option(fc.nat(3)) }) },
  { weight: 1, arbitrary: fc.record({ weight: fc.integer({ min: -1, max: 1 }) }) },
);

const item: fc.Arbitrary<ItemDraw> = fc.record({
  kind: fc.constantFrom('ConfigMap', 'Deployment', 'Deployment', 'StatefulSet', 'Job'),
  place: fc.option(place, { freq: 4 }),
  readyMs: fc.constantFrom(0, 0, 300, 900),
  goneMs: fc.constantFrom(0, 0, 400, 2500),
  isBroken: seldom(40),
  rolls: fc.boolean(),
  isNeedy: seldom(4),
  mounts: fc.boolean(),
});

/** A hook is not both before and after a change: the log would not tell which time it was sent for. */
const changeOf = (event: HookEvent): string => event.slice(event.indexOf('-'));

const hook: fc.Arbitrary<HookDraw> = fc.record({
  kind: fc.constantFrom('ConfigMap', 'Job', 'Pod'),
  events: fc.uniqueArray(fc.constantFrom(...hookEvents), { minLength: 1, maxLength: 4, selector: changeOf }),
  weight: fc.integer({ min: -1, max: 1 }),
  policies: fc
    .subarray<HookPolicy>(['hook-succeeded', 'hook-failed'])
    .map((policies) => (policies.length === 0 ? [] : ['before-hook-creation', ...policies])),
  readyMs: fc.constantFrom(0, 0, 300),
  isBroken: seldom(40),
});

const chartAround = (inside: fc.Arbitrary<ChartDraw> | undefined): fc.Arbitrary<ChartDraw> =>
  fc.record({
    form: fc.constantFrom('field', 'map'),
    keys: fc.constantFrom('groups', 'layers'),
    hookMode: fc.constantFrom('false', 'true', 'otherChartsOnly'),
    subcharts:
      inside === undefined
        ? fc.constant([])
        : fc.array(fc.record({ after: below(3, 2), isOff: seldom(6), inside }), { maxLength: 3 }),
    ownAfter: below(3, 2),
    items: fc.array(item, { maxLength: 4 }),
    hooks: fc.array(hook, { maxLength: 2 }),
  });

const leaf = chartAround(undefined);

/** A chart with subcharts, some of which have subcharts of their own. */
export const chartDraws: fc.Arbitrary<ChartDraw> = chartAround(
  fc.oneof({ weight: 4, arbitrary: leaf }, { weight: 1, arbitrary: chartAround(leaf) }),
);

const disturbance: fc.Arbitrary<Disturbance> = fc.oneof(
  fc.record({
    kind: fc.constant('signal' as const),
    signal: fc.constantFrom('SIGKILL', 'SIGINT', 'SIGTERM'),
    at: fc.integer({ min: 1, max: 60 }),
  }),
  fc.record({
    kind: fc.constant('faults' as const),
    fault: fc.constantFrom(...faultNames),
    every: fc.integer({ min: 6, max: 12 }),
  }),
);

const changing = {
  isUndone: seldom(4),
  isCleanedUp: seldom(4),
  isHurried: seldom(6),
  wait: fc.constantFrom('ordered', 'ordered', 'ordered', 'bare', 'watcher', 'auto') as fc.Arbitrary<Changing['wait']>,
  disturbance: fc.option(disturbance, { freq: 1 }),
};

const deploy: fc.Arbitrary<ActDraw> = fc.record({
  kind: fc.constant('deploy' as const),
  version: fc.nat(2),
  isEager: seldom(3),
  ...changing,
});

const act: fc.Arbitrary<ActDraw> = fc.oneof(
  { weight: 5, arbitrary: deploy },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('resume' as const), ...changing }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('rollback' as const), back: fc.nat(4), ...changing }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('uninstall' as const),
      deletesHooks: fc.boolean(),
      keepsHistory: seldom(4),
      disturbance: changing.disturbance,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('helm' as const),
      does: fc.constantFrom('upgrade', 'upgrade', 'rollback', 'uninstall') as fc.Arbitrary<
        'upgrade' | 'rollback' | 'uninstall'
      >,
      version: fc.nat(2),
    }),
  },
);

export const scenarios: fc.Arbitrary<Scenario> = fc.record({
  charts: fc.array(chartDraws, { minLength: 1, maxLength: 3 }),
  packaged: fc.subarray([0, 1, 2]),
  orderFiles: fc.subarray([0, 1, 2]),
  acts: fc.tuple(deploy, fc.array(act, { maxLength: 7 })).map(([first, others]) => [first, ...others]),
});
