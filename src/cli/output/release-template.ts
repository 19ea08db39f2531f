import { isCrdFile } from '../../chart/paths.ts';
import type { ChartFile, ChartLock, ChartMetadata } from '../../chart/types.ts';
import { NamedString } from '../../go/named-string.ts';
import { NilPointer } from '../../go/nil-pointer.ts';
import { GoStruct } from '../../go/struct.ts';
import { parseTime } from '../../go/time/parse.ts';
import { localZone } from '../../go/time/zone.ts';
import { goInt, withGoType } from '../../go/value.ts';
import type { Hook } from '../../manifest/types.ts';
import type { Release } from '../../release/types.ts';
import { chartObject } from '../../render/chart-object.ts';
import { Time, zeroTime } from '../../render/functions/time-object.ts';
import { goFunction } from '../../template/function.ts';
import { goTemplateText } from './go-template.ts';

/** `get all --template`: a Go template over the release, with Go's field names (`{{.Release.Info.Status}}`). */
export const releaseTemplateText = (template: string, release: Release): string =>
  goTemplateText(template, new Map([['Release', releaseObject(release)]]));

const releaseObject = ({ info, chart, hooks, ...release }: Release): GoStruct =>
  new GoStruct('*v1.Release', [
    ['Name', release.name],
    ['Info', infoObject(info)],
    ['Chart', chartStruct(chart)],
    ['Config', release.config],
    ['Manifest', release.manifest],
    ['Hooks', withGoType(hooks.map(hookObject), '[]*v1.Hook')],
    ['Version', goInt(release.version)],
    ['Namespace', release.namespace],
    ['Labels', new Map(Object.entries(release.storedLabels ?? release.labels))],
    ['ApplyMethod', release.applyMethod ?? ''],
  ]);

/** The methods of Helm's chart that templates can call: those without arguments that change nothing. */
const chartStruct = (chart: Release['chart']): GoStruct => {
  const crds = chart.files.filter(isCrdFile);
  const struct: GoStruct = new GoStruct(
    '*v2.Chart',
    [
      // A record keeps no raw files.
      ['Raw', []],
      ['Metadata', metadataObject(chart.metadata)],
      ['Lock', chart.lock === undefined ? new NilPointer('*v2.Lock') : lockObject(chart.lock)],
      ['Templates', chart.templates.map(fileObject)],
      ['Values', chart.values],
      ['Schema', chart.schema ?? new Uint8Array(0)],
      ['Files', chart.files.map(fileObject)],
    ],
    {
      Name: goFunction('func() string', () => chart.metadata.name),
      AppVersion: goFunction('func() string', () => chart.metadata.appVersion ?? ''),
      IsRoot: goFunction('func() bool', () => true),
      ChartPath: goFunction('func() string', () => chart.metadata.name),
      ChartFullPath: goFunction('func() string', () => chart.metadata.name),
      // A record keeps no subcharts: what is left of a chart is its own root.
      Root: goFunction('func() *v2.Chart', () => struct),
      Parent: goFunction('func() any', () => new NilPointer('*v2.Chart')),
      Dependencies: goFunction('func() []*v2.Chart', () => withGoType([], '[]*v2.Chart')),
      CRDs: goFunction('func() []*common.File', () => withGoType(crds.map(fileObject), '[]*common.File')),
      CRDObjects: goFunction('func() []v2.CRD', () => withGoType(crds.map(crdObject), '[]v2.CRD')),
      Validate: goFunction('func() any', () => new NilPointer('error')),
    },
  );
  return struct;
};

const crdObject = (file: ChartFile): GoStruct =>
  new GoStruct('v2.CRD', [
    ['Name', file.name],
    ['Filename', file.name],
    ['File', fileObject(file)],
  ]);

const lockObject = ({ generated, digest, dependencies }: ChartLock): GoStruct =>
  new GoStruct('*v2.Lock', [
    ['Generated', timeObject(generated)],
    ['Digest', digest],
    [
      'Dependencies',
      dependencies.map(
        ({ name, version = '', repository = '' }) =>
          new GoStruct('*v2.Dependency', [
            ['Name', name],
            ['Version', version],
            ['Repository', repository],
          ]),
      ),
    ],
  ]);

const infoObject = (info: Release['info']): GoStruct =>
  new GoStruct('*v1.Info', [
    ['FirstDeployed', timeObject(info.firstDeployed)],
    ['LastDeployed', timeObject(info.lastDeployed)],
    ['Deleted', timeObject(info.deleted)],
    ['Description', info.description ?? ''],
    ['Status', statusObject(info.status)],
    ['RollbackRevision', goInt(info.rollbackRevision ?? 0)],
    ['Notes', info.notes ?? ''],
    // Told by `status`, which has no templates.
    ['Resources', withGoType(new Map(), 'map[string][]runtime.Object')],
  ]);

const statusObject = (status: string): NamedString =>
  new NamedString('common.Status', status, {
    String: goFunction('func() string', () => status),
    IsPending: goFunction('func() bool', () => status.startsWith('pending-')),
  });

/** A word that knows no more than how it is written. */
const word = (goType: string, text: string): NamedString =>
  new NamedString(goType, text, { String: goFunction('func() string', () => text) });

function metadataObject(metadata: ChartMetadata): GoStruct {
  const fields = [...chartObject(metadata, true)].filter(([name]) => name !== 'IsRoot');
  return new GoStruct('*v2.Metadata', fields, { Validate: goFunction('func() any', () => new NilPointer('error')) });
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
    [
      'Events',
      withGoType(
        hook.events.map((event) => word('v1.HookEvent', event)),
        '[]v1.HookEvent',
      ),
    ],
    [
      'LastRun',
      new GoStruct('v1.HookExecution', [
        ['StartedAt', timeObject(hook.lastRun.startedAt)],
        ['CompletedAt', timeObject(hook.lastRun.completedAt)],
        ['Phase', word('v1.HookPhase', hook.lastRun.phase)],
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
