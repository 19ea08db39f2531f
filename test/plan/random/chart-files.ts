import type { ChartDraw, HookDraw, ItemDraw } from './draw.ts';
import { isBroken, kinds, nameOfHook, nameOfItem, subchartName } from './names.ts';
import { afterGroupsOf, afterSubchartsOf, mountedBy, ownAfterOf } from './rules.ts';

/** The annotation that says of which version of the chart an object is, for resources and hooks alike. */
export const versionKey = 'e2e.tshelm.dev/version';
/** The labels of a release's resources, and of what its hooks bring; the value is the release's name. */
export const resourceLabel = 'campaign';
export const hookLabel = 'campaign-hook';

/** What needy resources wait for, by the name of the release. */
export const outsideName = (release: string): string => `${release}-outside`;
export const needOf = (release: string): string => `Deployment/${outsideName(release)}`;

/** The files of a drawn chart, by their path; its version is `0.0.VERSION`, its name `drawn`. */
export function chartFiles(draw: ChartDraw, version: number): Readonly<Record<string, string>> {
  return filesIn(draw, { name: 'drawn', folder: '', path: '', version });
}

interface Place {
  readonly name: string;
  readonly folder: string;
  /** The subcharts' names on the way, without anything between them. */
  readonly path: string;
  readonly version: number;
}

function filesIn(draw: ChartDraw, place: Place): Record<string, string> {
  const { folder, path, version } = place;
  const files: Record<string, string> = {
    [`${folder}Chart.yaml`]: chartYaml(draw, place),
    [`${folder}values.yaml`]: yaml(
      Object.fromEntries(draw.subcharts.map(({ isOff }, index) => [subchartName(index), { on: !isOff }])),
    ),
  };
  for (const [index, item] of draw.items.entries())
    files[`${folder}templates/item-${index}.yaml`] = itemText(draw, index, { ...place, item });
  for (const [index, hook] of draw.hooks.entries())
    files[`${folder}templates/hook-${index}.yaml`] = hookText(nameOfHook(path, index, hook), hook, version);
  for (const [index, { inside }] of draw.subcharts.entries()) {
    const name = subchartName(index);
    const below = { name, folder: `${folder}charts/${name}/`, path: `${path}${name}`, version };
    Object.assign(files, filesIn(inside, below));
  }
  return files;
}

function chartYaml(draw: ChartDraw, { name, version }: Place): string {
  const isField = draw.form === 'field';
  const own = ownAfterOf(draw).map(subchartName);
  const edges = draw.subcharts.map((_, index) => afterSubchartsOf(draw, index).map(subchartName));
  const map = Object.fromEntries([
    ...edges.map((after, index) => [subchartName(index), after] as const),
    ['.', own] as const,
  ]);
  return yaml({
    apiVersion: 'v2',
    name,
    version: `0.0.${version}`,
    annotations: {
      'helm.sh/depends-on/subcharts': JSON.stringify(isField ? own : map),
      'helm.sh/run-hooks-in-parallel': draw.hookMode,
    },
    dependencies: draw.subcharts.map((_, index) => ({
      name: subchartName(index),
      version: `0.0.${version}`,
      condition: `${subchartName(index)}.on`,
      ...(isField && edges[index]?.length ? { 'depends-on': edges[index] } : {}),
    })),
  });
}

/** JSON is YAML. */
const yaml = (value: unknown): string => `${JSON.stringify(value)}\n`;

const releaseName = '{{ .Release.Name }}';

function itemText(draw: ChartDraw, index: number, place: Place & { readonly item: ItemDraw }): string {
  const { item, path, version } = place;
  const name = `${releaseName}-${nameOfItem(path, index, item)}`;
  return yaml({
    apiVersion: kinds[item.kind].apiVersion,
    kind: item.kind,
    metadata: {
      name,
      labels: { [resourceLabel]: releaseName },
      annotations: {
        [versionKey]: String(version),
        ...(item.isNeedy && { 'tshelm.dev/needs': needOf(releaseName) }),
        ...orderKeys(draw, index),
      },
    },
    ...itemBody(name, item, { version, volumes: volumesOf(draw, place) }),
  });
}

function volumesOf(draw: ChartDraw, { item, path }: { readonly item: ItemDraw; readonly path: string }) {
  const mounted = mountedBy(draw, item);
  if (mounted === undefined) return {};
  const name = `${releaseName}-${nameOfItem(path, mounted, draw.items[mounted] as ItemDraw)}`;
  return { volumes: [{ name: 'mounted', configMap: { name } }] };
}

function orderKeys(draw: ChartDraw, index: number): Readonly<Record<string, string>> {
  const place = draw.items[index]?.place ?? null;
  if (place === null) return {};
  if ('weight' in place) return { 'helm.sh/weight': String(place.weight) };
  const after = afterGroupsOf(draw, place).map((group) => `g${group}`);
  const keys =
    draw.keys === 'groups'
      ? { own: 'helm.sh/resource-group', after: 'helm.sh/depends-on/resource-groups' }
      : { own: 'helm.sh/layer', after: 'helm.sh/dependson/layer' };
  return {
    [keys.own]: `g${place.group}`,
    ...(after.length > 0 ? { [keys.after]: JSON.stringify(after) } : {}),
    ...(place.subchart !== null && place.subchart < draw.subcharts.length
      ? { 'helm.sh/dependson/chart': subchartName(place.subchart) }
      : {}),
  };
}

function itemBody(
  name: string,
  item: ItemDraw,
  { version, volumes }: { readonly version: number; readonly volumes: object },
): Readonly<Record<string, unknown>> {
  const { kind, readyMs, goneMs, rolls } = item;
  if (kind === 'ConfigMap') return { data: { version: String(version) } };
  const fate = isBroken(item) ? { 'e2e.tshelm.dev/fate': kind === 'Job' ? 'fail' : 'image-pull' } : {};
  const annotations = {
    'e2e.tshelm.dev/ready-after': `${readyMs}ms`,
    'e2e.tshelm.dev/gone-after': `${goneMs}ms`,
    ...fate,
  };
  const containers = [{ name: 'main', image: 'example.com/main:1' }];
  if (kind === 'Job') {
    const template = { metadata: { annotations }, spec: { restartPolicy: 'Never', containers } };
    return { spec: { backoffLimit: 0, template } };
  }
  const labels = { app: name, ...(rolls ? { version: String(version) } : {}) };
  return {
    spec: {
      selector: { matchLabels: { app: name } },
      ...(kind === 'StatefulSet' ? { serviceName: name } : {}),
      template: { metadata: { labels, annotations }, spec: { containers, ...volumes } },
    },
  };
}

function hookText(shortName: string, hook: HookDraw, version: number): string {
  const { kind, events, weight, policies, readyMs } = hook;
  const metadata = {
    name: `${releaseName}-${shortName}`,
    labels: { [hookLabel]: releaseName },
    annotations: {
      [versionKey]: String(version),
      'helm.sh/hook': events.join(','),
      'helm.sh/hook-weight': String(weight),
      ...(policies.length > 0 ? { 'helm.sh/hook-delete-policy': policies.join(',') } : {}),
    },
  };
  const fate = { 'e2e.tshelm.dev/fate': isBroken(hook) ? 'fail' : 'complete' };
  const simulated = { 'e2e.tshelm.dev/ready-after': `${readyMs}ms`, ...(kind === 'Pod' || isBroken(hook) ? fate : {}) };
  const pod = { restartPolicy: 'Never', containers: [{ name: 'main', image: 'example.com/hook:1' }] };
  const object = { apiVersion: kinds[kind].apiVersion, kind, metadata };
  switch (kind) {
    case 'ConfigMap':
      return yaml({ ...object, data: { version: String(version) } });
    case 'Pod':
      return yaml({
        ...object,
        metadata: { ...metadata, annotations: { ...metadata.annotations, ...simulated } },
        spec: pod,
      });
    case 'Job':
      return yaml({
        ...object,
        spec: { backoffLimit: 0, template: { metadata: { annotations: simulated }, spec: pod } },
      });
    default:
      throw new Error(`internal: unknown kind ${String(kind)}`);
  }
}
