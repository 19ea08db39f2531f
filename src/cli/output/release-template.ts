import type { Hook } from '../../manifest/types.ts';
import type { Release } from '../../release/types.ts';
import { chartObject } from '../../render/chart-object.ts';
import { type GoMap, goInt, type Value } from '../../support/value.ts';
import { TemplateSet } from '../../template/template-set.ts';

/** `get all --template`: a Go template over the release, with Go's field names (`{{.Release.Info.Status}}`). */
export function releaseTemplateText(template: string, release: Release): string {
  const set = new TemplateSet({ functions: {}, missingKey: 'default', name: '' });
  set.parse('', template);
  return set.execute('', new Map([['Release', releaseObject(release)]]));
}

const releaseObject = ({ info, chart, hooks, ...release }: Release): GoMap =>
  new Map<string, Value>([
    ['Name', release.name],
    [
      'Info',
      new Map<string, Value>([
        ['FirstDeployed', info.firstDeployed ?? ''],
        ['LastDeployed', info.lastDeployed ?? ''],
        ['Deleted', info.deleted ?? ''],
        ['Description', info.description ?? ''],
        ['Status', info.status],
        ['RollbackRevision', goInt(info.rollbackRevision ?? 0)],
        ['Notes', info.notes ?? ''],
      ]),
    ],
    [
      'Chart',
      new Map<string, Value>([
        ['Metadata', chartObject(chart.metadata, true)],
        ['Values', chart.values],
      ]),
    ],
    ['Config', release.config],
    ['Manifest', release.manifest],
    ['Hooks', hooks.map(hookObject)],
    ['Version', goInt(release.version)],
    ['Namespace', release.namespace],
    ['Labels', new Map(Object.entries(release.labels))],
    ['ApplyMethod', release.applyMethod ?? ''],
  ]);

const hookObject = (hook: Hook): GoMap =>
  new Map<string, Value>([
    ['Name', hook.name],
    ['Kind', hook.kind],
    ['Path', hook.path],
    ['Manifest', hook.manifest],
    ['Events', [...hook.events]],
    ['Weight', goInt(hook.weight)],
  ]);
