import type { ChartFile, ChartMetadata } from '../../chart/types.ts';
import type { Hook } from '../../manifest/types.ts';
import type { Release } from '../../release/types.ts';
import { chartObject } from '../../render/chart-object.ts';
import { Time, zeroTime } from '../../render/functions/time-object.ts';
import { parseTime } from '../../support/time/parse.ts';
import { localZone } from '../../support/time/zone.ts';
import { goInt, withGoType } from '../../support/value.ts';
import { goTemplateText, Struct } from './go-template.ts';

/** `get all --template`: a Go template over the release, with Go's field names (`{{.Release.Info.Status}}`). */
export const releaseTemplateText = (template: string, release: Release): string =>
  goTemplateText(template, new Map([['Release', releaseObject(release)]]));

const releaseObject = ({ info, chart, hooks, ...release }: Release): Struct =>
  new Struct('*v1.Release', [
    ['Name', release.name],
    ['Info', infoObject(info)],
    [
      'Chart',
      new Struct('*v2.Chart', [
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

const infoObject = (info: Release['info']): Struct =>
  new Struct('*v1.Info', [
    ['FirstDeployed', timeObject(info.firstDeployed)],
    ['LastDeployed', timeObject(info.lastDeployed)],
    ['Deleted', timeObject(info.deleted)],
    ['Description', info.description ?? ''],
    ['Status', info.status],
    ['RollbackRevision', goInt(info.rollbackRevision ?? 0)],
    ['Notes', info.notes ?? ''],
  ]);

function metadataObject(metadata: ChartMetadata): Struct {
  const fields = [...chartObject(metadata, true)].filter(([name]) => name !== 'IsRoot');
  return new Struct('*v2.Metadata', fields);
}

const fileObject = ({ name, data }: ChartFile): Struct =>
  new Struct('*common.File', [
    ['Name', name],
    ['Data', data],
  ]);

const hookObject = (hook: Hook): Struct =>
  new Struct('*v1.Hook', [
    ['Name', hook.name],
    ['Kind', hook.kind],
    ['Path', hook.path],
    ['Manifest', hook.manifest],
    ['Events', [...hook.events]],
    [
      'LastRun',
      new Struct('v1.HookExecution', [
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
