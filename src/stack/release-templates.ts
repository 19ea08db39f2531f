import { GoStruct } from '../go/struct.ts';
import { type GoMap, type Value, withGoType } from '../go/value.ts';
import { readAny } from '../render/yaml-values.ts';
import { messageOf } from '../support/errors.ts';
import { writeYamlPretty } from '../yaml/index.ts';
import { environmentObject } from './environment.ts';
import { withTemplates } from './inherit.ts';
import type { LoadedState } from './load-file.ts';
import { located, locationOf } from './location.ts';
import { absolute, invalid, type Reading } from './reading.ts';
import type { ReleaseSpec, SetValue, StateSpec } from './schema.ts';
import type { TextRenderer } from './text-renderer.ts';
import { deepCopyOf } from './value-maps.ts';

/** Passes until a release's templates, which may speak of each other, give the same twice. */
const maxPasses = 6;

/** The releases of a file with their templates carried out (HelmState.ExecuteTemplates). */
export function executeTemplates(state: LoadedState, reading: Reading): readonly ReleaseSpec[] {
  const renderer = reading.renderers.in(absolute(state.place, state.place.base));
  return (state.spec.releases ?? []).map((release) => executeTemplate(release, { state, reading, renderer }));
}

interface Executing {
  readonly state: LoadedState;
  readonly reading: Reading;
  readonly renderer: TextRenderer;
}

function executeTemplate(release: ReleaseSpec, { state, reading, renderer }: Executing): ReleaseSpec {
  const { spec, place } = state;
  const locate = (field: string): string => locationOf({ field, release: release.name }, state, reading);
  const inherited = located(
    () => locate('inherit'),
    () => withTemplates(release, spec, place.file),
  );
  const whole = withStateDefaults(inherited, spec);
  const fail = (why: string, cause?: unknown): Error =>
    invalid(
      place.file,
      `failed executing templates in release "${place.file}"."${whole.name ?? ''}": ${why} (${locate('name')})`,
      cause,
    );
  let before = whole;
  for (let pass = 0; pass < maxPasses; pass++) {
    const after = rendered(whole, releaseData(before, state), renderer, fail);
    if (isSame(before, after)) return withChart(withBooleans(after, fail), place.file, () => locate('chart'));
    before = after;
  }
  throw fail("recursive references can't be resolved");
}

function withStateDefaults(release: ReleaseSpec, spec: StateSpec): ReleaseSpec {
  const labels = new Map([...(release.labels ?? []), ...(spec.commonLabels ?? [])]);
  const apiVersions = (release.apiVersions ?? []).length === 0 ? spec.apiVersions : release.apiVersions;
  return {
    ...release,
    labels,
    kubeContext: release.kubeContext ?? spec.helmDefaults?.kubeContext,
    apiVersions,
    kubeVersion: release.kubeVersion ?? spec.kubeVersion,
  };
}

/** What a release's templates, and those of its files of values, see. */
export function releaseData(release: ReleaseSpec, state: LoadedState, values: GoMap = state.values): Value {
  const { spec, environment } = state;
  return new GoStruct('state.releaseTemplateData', [
    ['Environment', environmentObject(environment)],
    ['Release', releaseObject(release)],
    ['Values', values],
    ['StateValues', values],
    ['KubeContext', spec.kubeContext ?? ''],
    ['Namespace', spec.namespace ?? ''],
    ['Chart', spec.chart ?? ''],
  ]);
}

const releaseObject = (release: ReleaseSpec): GoStruct =>
  new GoStruct('state.releaseTemplateDataRelease', [
    ['Name', release.name ?? ''],
    ['Namespace', release.namespace ?? ''],
    ['Labels', withGoType(new Map<string, Value>(release.labels), 'map[string]string')],
    ['Chart', release.chart ?? ''],
    ['ChartVersion', release.version ?? ''],
    ['KubeContext', release.kubeContext ?? ''],
  ]);

type Fail = (why: string, cause?: unknown) => Error;

function rendered(release: ReleaseSpec, data: Value, renderer: TextRenderer, fail: Fail): ReleaseSpec {
  const where = `failed executing template expressions in release "${release.name ?? ''}"`;
  const render = (text: string, field: string): string => {
    try {
      return renderer.render(text, data);
    } catch (cause) {
      throw fail(`${where}.${field} = "${text}": ${messageOf(cause)}`, cause);
    }
  };
  const text = (value: string | undefined, field: string): string | undefined =>
    value === undefined ? undefined : render(value, field).trim() || undefined;
  const kept = (value: string | undefined, field: string): string | undefined =>
    value === undefined ? undefined : render(value, field);
  const { labels, needs, postRendererArgs, setTemplate = [], valuesTemplate = [], values = [], secrets } = release;
  const templates = setTemplate.map((item, index) => renderedSet(item, `set[${index}]`, render));
  const maps = valuesTemplate.map((item, index) => renderedValues(item, `values[${index}]`, render));
  const isGiven = maps.length + values.length > 0;
  return pruned({
    ...release,
    name: text(release.name, 'name'),
    chart: text(release.chart, 'chart'),
    namespace: text(release.namespace, 'namespace'),
    version: text(release.version, 'version'),
    waitTemplate: kept(release.waitTemplate, 'waitTemplate'),
    installedTemplate: kept(release.installedTemplate, 'installedTemplate'),
    conditionTemplate: kept(release.conditionTemplate, 'conditionTemplate'),
    verifyTemplate: kept(release.verifyTemplate, 'verifyTemplate'),
    labels: labels && new Map([...labels].map(([key, value]) => [key, render(value, `labels[${key}]`)])),
    postRendererArgs: postRendererArgs?.map((value) => render(value, 'postRendererArgs')),
    valuesTemplate: maps.length > 0 ? maps : undefined,
    values: isGiven
      ? [...maps, ...values].map((item, index) =>
          typeof item === 'string' ? render(item, `values[${index}]`) : deepCopyOf(item),
        )
      : undefined,
    secrets: secrets?.map((item, index) => (typeof item === 'string' ? render(item, `secrets[${index}]`) : item)),
    setTemplate: templates.length > 0 ? templates : undefined,
    set: templates.length > 0 ? [...templates, ...(release.set ?? [])] : release.set,
    needs: needs?.map((need, index) => render(need, `needs[${index}]`)),
  });
}

type Render = (text: string, field: string) => string;

function renderedSet(item: SetValue, field: string, render: Render): SetValue {
  const one = (text: string | undefined, name: string): string | undefined =>
    text === undefined ? undefined : render(text, `${field}.${name}`);
  const values = item.values?.map((value, index) =>
    typeof value === 'string' ? render(value, `${field}.values[${index}]`) : value,
  );
  return pruned({
    name: one(item.name, 'name'),
    value: one(item.value, 'value'),
    file: one(item.file, 'file'),
    values,
  });
}

/** A map is written as YAML, rendered, and read again. */
function renderedValues(item: Value, field: string, render: Render): Value {
  if (!(item instanceof Map)) return item;
  return readAny(render(writeYamlPretty(item), field));
}

/** What is undefined is left out, so that two passes can be compared. */
const pruned = <T extends object>(data: T): T =>
  Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined)) as T;

const isSame = (one: ReleaseSpec, other: ReleaseSpec): boolean => comparable(one) === comparable(other);

/** The values, being most of a release, are compared as the texts among them: the maps do not change. */
function comparable(release: ReleaseSpec): string {
  const { values, valuesTemplate, set: _set, setTemplate, ...rest } = release;
  const own = valuesTemplate === undefined ? values : [];
  return JSON.stringify(
    [{ ...rest, values: own?.filter((item) => typeof item === 'string') }, valuesTemplate, setTemplate],
    (_key, value: unknown) => (value instanceof Map ? [...value] : typeof value === 'bigint' ? String(value) : value),
  );
}

function withBooleans(release: ReleaseSpec, fail: Fail): ReleaseSpec {
  const { installedTemplate, conditionTemplate, waitTemplate, verifyTemplate, ...rest } = release;
  const bool = (text: string | undefined, field: string): boolean | undefined => {
    if (text === undefined) return undefined;
    const value = readAny(text);
    if (typeof value === 'boolean') return value;
    if (value === null) return false;
    if (value === 'yes' || value === 'on') return true;
    if (value === 'no' || value === 'off') return false;
    throw fail(
      `${field}: failed deserialising string ${text}: yaml: unmarshal errors:\n  line 1: cannot unmarshal into bool`,
    );
  };
  const condition = bool(conditionTemplate, 'conditionTemplate');
  return pruned({
    ...rest,
    installed: bool(installedTemplate, 'installedTemplate') ?? release.installed,
    condition: condition === undefined ? release.condition : String(condition),
    wait: bool(waitTemplate, 'waitTemplate') ?? release.wait,
    verify: bool(verifyTemplate, 'verifyTemplate') ?? release.verify,
  });
}

function withChart(release: ReleaseSpec, file: string, locate: () => string): ReleaseSpec {
  if ((release.chart ?? '') !== '') return release;
  const message = `encountered empty chart while reading release "${release.name ?? ''}" (${locate()}): name its chart`;
  throw invalid(file, message);
}
