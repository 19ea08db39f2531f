import type { ChartFile, ChartMetadata } from '../../chart/types.ts';
import type { Hook } from '../../manifest/types.ts';
import type { Release } from '../../release/types.ts';
import { chartObject } from '../../render/chart-object.ts';
import { Time, zeroTime } from '../../render/functions/time-object.ts';
import { GoStruct } from '../../support/go-struct.ts';
import { parseTime } from '../../support/time/parse.ts';
import { localZone } from '../../support/time/zone.ts';
import { goInt, withGoType } from '../../support/value.ts';
import { goTemplateText } from './go-template.ts';

/** `get all --template`: a Go template over the release, with Go's field names (`{{.Release.Info.Status}}`). */
export const releaseTemplateText = (template: string, release: Release): string =>
  goTemplateText(template, new Map([['Release', releaseObject(release)]]));

const releaseObject = ({ info, chart, hooks, ...release }: Release): GoStruct =>
  new GoStruct('*v1.Release', [
    ['Name', release.name],
    ['Info', infoObject(info)],
    [
      'Chart',
      new GoStruct('*v2.Chart', [
        ['Metadata', metadataObject(chart.metadata)],
        ['Templates', chart.templates.map(fileObject)],
        ['Values', chart.values],
        ['Files', chart.files.map(fileObject)],
      ]),
    ],
    ['Config', release.config],
    ['Manifest', release.manifest],
    ['Hooks', withGoType(hooks.map(hookObject), '[]*v1.Hook')],
    ['Version', goInt(release.version)],
    ['Namespace', release.namespace],
    ['Labels', new Map(Object.entries(release.storedLabels ?? release.labels))],
    ['ApplyMethod', release.applyMethod ?? ''],
  ]);

const infoObject = (info: Release['info']): GoStruct =>
  new GoStruct('*v1.Info', [
    ['FirstDeployed', timeObject(info.firstDeployed)],
    ['LastDeployed', timeObject(info.lastDeployed)],
    ['Deleted', timeObject(info.deleted)],
    ['Description', info.description ?? ''],
    ['Status', info.status],
    ['RollbackRevision', goInt(info.rollbackRevision ?? 0)],
    ['Notes', info.notes ?? ''],
  ]);

function metadataObject(metadata: ChartMetadata): GoStruct {
  const fields = [...chartObject(metadata, true)].filter(([name]) => name !== 'IsRoot');
  return new GoStruct('*v2.Metadata', fields);
}

const fileObject = ({ name, data }: ChartFile): GoStruct =>
  new GoStruct('*common.File', [
    ['Name', name],
    ['Data', data],
  ]);

const hookObject = (hook: Hook): GoStruct =>
  new GoStruct('*v1.Hook', [
    ['Name', hook.name],
    ['Kind', hook.kind],
    ['Path', hook.path],
    ['Manifest', hook.manifest],
    ['Events', [...hook.events]],
    [
      'LastRun',
      new GoStruct('v1.HookExecution', [
        ['StartedAt', timeObject(hook.lastRun.startedAt)],
        ['CompletedAt', timeObject(hook.lastRun.completedAt)],
        ['Phase', hook.lastRun.phase],
      ]),
    ],
    ['Weight', goInt(hook.weight)],
    ['DeletePolicies', [...hook.deletePolicies]],
    ['OutputLogPolicies', [...hook.outputLogPolicies]],
  ]);

function timeObject(text: string | undefined): Time {
  const local = localZone();
  return text === undefined ? zeroTime(local) : new Time(parseTime('2006-01-02T15:04:05Z07:00', text, local), local);
}
