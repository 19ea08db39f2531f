import { basename, dirname, join, resolve } from 'node:path';
import type { GoList } from '../go/value.ts';
import { TshelmError } from '../support/errors.ts';
import { compareText } from '../support/order.ts';
import { type Environment, newEnvironment } from './environment.ts';
import { mergeStructs } from './fields.ts';
import { type LoadedState, loadFile, UndefinedEnvironment } from './load-file.ts';
import { locationOf, type StateEntry } from './location.ts';
import { withLockedVersions } from './lock-file.ts';
import { absolute, isRemote, type Place, type Reading, type StackRequest } from './reading.ts';
import { releasesOf } from './releases.ts';
import { remotePath } from './remote-path.ts';
import { helmDefaultsFields, type ReleaseSpec, type RepositorySpec, type StateSpec } from './schema.ts';
import { areCompatible } from './selectors.ts';
import { Renderers } from './text-renderer.ts';
import { loadValues } from './values-files.ts';
import { glob } from './world.ts';

/** A state file of a stack, with its releases as they are meant. */
export interface StackFile extends LoadedState {
  readonly releases: readonly ReleaseSpec[];
  /** Those that the command line or the outer file gives. */
  readonly selectors: readonly string[];
  /** The absolute name of the file. */
  readonly source: string;
  /** The absolute name of the policy that says who may sign its charts; that of the file that names this one comes first. */
  readonly trustPolicy?: string | undefined;
  /** `FILE:LINE` of something that the file says, for messages. */
  readonly locate: (entry: StateEntry) => string;
}

interface Visit {
  readonly selectors: readonly string[];
  /** What file names of `values` are relative to. */
  readonly callee: string;
  readonly overrideValues: GoList;
  readonly isTop: boolean;
  /** Whether mistakes say in which file they are. */
  readonly isNamed?: boolean | undefined;
  readonly inherited?: Inherited | undefined;
  readonly trustPolicy?: string | undefined;
}

/** All state files of a stack, those that a file names before it. Fails with `stack-invalid` and `stack-unsupported`. */
export function readStack(reading: Reading, cwd: string): readonly StackFile[] {
  const { request } = reading;
  const visit = { selectors: request.selectors, callee: '', overrideValues: request.stateValuesFiles, isTop: true };
  return visitFiles(request.file, cwd, { ...visit, overrideValues: [...request.stateValuesFiles] }, reading);
}

function visitFiles(fileOrFolder: string, cwd: string, visit: Visit, reading: Reading): readonly StackFile[] {
  const files = findFiles(fileOrFolder, cwd, reading);
  const isNamed = !visit.isTop || files.length > 1;
  return files.flatMap((path) => visitFile(placeOf(path, cwd, files.length > 1), { ...visit, isNamed }, reading));
}

/** helmfile goes into the folder of a single file; of several it keeps to where it is. */
function placeOf(path: string, cwd: string, isOneOfSeveral: boolean): Place {
  const folder = resolve(cwd, dirname(path));
  return isOneOfSeveral
    ? { cwd, base: folder, file: join(folder, basename(path)) }
    : { cwd: folder, base: '.', file: basename(path) };
}

function visitFile(place: Place, visit: Visit, outer: Reading): readonly StackFile[] {
  const secrets = outer.secrets.at(place.cwd);
  const reading =
    secrets === outer.secrets ? outer : { ...outer, secrets, renderers: new Renderers(outer.world, secrets) };
  const source = resolve(place.cwd, place.file);
  let loaded: LoadedState;
  try {
    loaded = loadState(place, visit, reading);
  } catch (error) {
    if (error instanceof UndefinedEnvironment) return [];
    throw visit.isNamed ? inFile(source, error) : error;
  }
  const { trustPolicy: named } = loaded.spec;
  const trustPolicy = visit.trustPolicy ?? (named && absolute(place, named));
  const nested = (loaded.spec.helmfiles ?? []).flatMap((one) =>
    visitNested(one, loaded, { ...visit, trustPolicy }, reading),
  );
  const own = releasesOf(loaded, reading);
  const releases = reading.request.ignoresLock ? own : withLockedVersions(own, loaded, reading);
  const locate = (entry: StateEntry): string => locationOf(entry, loaded, reading);
  return [...nested, { ...loaded, releases, selectors: visit.selectors, source, trustPolicy, locate }];
}

/** Of several files, which are often all called helmfile.yaml, that of the mistake is named, as in helmfile. */
const inFile = (source: string, error: unknown): unknown =>
  error instanceof TshelmError ? error.wrapped({ message: `in ${source}: ${error.message}` }) : error;

function visitNested(
  nested: NonNullable<StateSpec['helmfiles']>[number],
  outer: LoadedState,
  visit: Visit,
  reading: Reading,
): readonly StackFile[] {
  const { path = '', selectors, selectorsInherited = false, inherits = [], values = [] } = nested;
  const cli = reading.request.selectors;
  if (!selectorsInherited && selectors !== undefined && !areCompatible(cli, selectors)) return [];
  const isInherited = selectorsInherited || (selectors === undefined && !inheritsExplicitly(reading));
  return visitFiles(
    isRemote(path) ? remotePath(path, outer.place, reading) : path,
    outer.place.cwd,
    {
      selectors: isInherited ? visit.selectors : (selectors ?? []),
      callee: resolve(outer.place.cwd, outer.place.file),
      overrideValues: values,
      isTop: false,
      trustPolicy: visit.trustPolicy,
      inherited: inherits.length === 0 ? undefined : inheritedFrom(outer, inherits),
    },
    reading,
  );
}

const inheritsExplicitly = ({ world }: Reading): boolean =>
  (world.env['HELMFILE_EXPERIMENTAL'] ?? '').includes('explicit-selector-inheritance') ||
  world.env['HELMFILE_EXPERIMENTAL'] === 'true';

function loadState(place: Place, visit: Visit, reading: Reading): LoadedState {
  const overrideEnvironment = overridesOf(place, visit, reading);
  const loaded = loadFile(place, { inherited: visit.inherited?.environment, overrideEnvironment }, reading);
  const spec = withOverrides(withInherited(loaded.spec, visit.inherited), reading.request, place.file);
  return { ...loaded, spec };
}

/** What the command line, or the file that names this one, lays over its values. */
function overridesOf(place: Place, visit: Visit, reading: Reading): Environment | undefined {
  const { request } = reading;
  const set = visit.isTop ? request.stateValues : new Map();
  if (visit.overrideValues.length === 0 && set.size === 0) return undefined;
  const base = visit.callee === '' ? '.' : dirname(visit.callee);
  const from = { ...place, base };
  const values = loadValues({ entries: visit.overrideValues, place: from, environment: undefined }, reading);
  return { ...newEnvironment(request.environment), values, cliOverrides: set };
}

function withOverrides(spec: StateSpec, request: StackRequest, file: string): StateSpec {
  const { kubeContext, namespace, chart } = request;
  const refuse = (flag: string, name: string): TshelmError =>
    new TshelmError('stack-invalid', {
      message: `err: Cannot use option --${flag} and set attribute ${name}.`,
      details: { file },
    });
  if (kubeContext !== '' && spec.kubeContext !== undefined) throw refuse('kube-context', 'kubeContext');
  if (namespace !== '' && spec.namespace !== undefined) throw refuse('namespace', 'namespace');
  if (chart !== '' && spec.chart !== undefined) throw refuse('chart', 'chart');
  const defaults = kubeContext === '' ? spec.helmDefaults : { ...spec.helmDefaults, kubeContext };
  return {
    ...spec,
    ...(defaults === undefined ? {} : { helmDefaults: defaults }),
    kubeContext: kubeContext || spec.kubeContext,
    namespace: namespace || spec.namespace,
    chart: chart || spec.chart,
  };
}

const defaultFile = 'helmfile.yaml';
const defaultFolder = 'helmfile.d';

/** The files that a name stands for; of a folder, all `*.yaml`, `*.yml` and `*.gotmpl` in it. */
function findFiles(name: string, cwd: string, { world }: Reading): readonly string[] {
  const kind = (path: string) => world.kindOf(resolve(cwd, path));
  if (name !== '') {
    if (kind(name) === 'file') return [name];
    if (kind(name) === 'directory') return filesIn(name, cwd, world);
    throw notFound(`specified state file ${name} is not found`);
  }
  const found = [defaultFile, `${defaultFile}.gotmpl`].filter((file) => kind(file) === 'file');
  if (found.length > 1) {
    throw notFound(`both ${defaultFile} and ${defaultFile}.gotmpl.gotmpl exist. Please remove one of them`);
  }
  if (kind(defaultFolder) === 'directory') {
    if (found.length === 0) return filesIn(defaultFolder, cwd, world);
    throw notFound(`configuration conlict error: you can have either ${found[0]} or ${defaultFolder}, but not both`);
  }
  if (found.length > 0) return found;
  throw notFound(
    `no state file found. It must be named ${defaultFolder}/*.{yaml,yml,yaml.gotmpl,yml.gotmpl}, ${defaultFile}, or ${defaultFile}.gotmpl, otherwise be given by name or by the HELMFILE_FILE_PATH environment variable`,
  );
}

const notFound = (message: string): TshelmError => new TshelmError('stack-invalid', { message });

const filesIn = (folder: string, cwd: string, world: Reading['world']): readonly string[] =>
  ['*.y*ml', '*.y*ml.gotmpl'].flatMap((pattern) => glob(world, cwd, join(folder, pattern))).sort(compareText);

/** What a nested file takes from the one that names it, by `inherits:`. */
interface Inherited {
  readonly spec: StateSpec;
  readonly environment: Environment | undefined;
}

const ofState = ['repositories', 'helmDefaults', 'commonLabels', 'apiVersions', 'kubeVersion', 'templates'] as const;

function inheritedFrom({ spec, environment }: LoadedState, wanted: readonly string[]): Inherited {
  const kept = ofState.filter((name) => wanted.includes(name)).map((name) => [name, spec[name]] as const);
  return {
    spec: Object.fromEntries(kept) as StateSpec,
    environment: wanted.includes('environments') ? environment : undefined,
  };
}

/** The nested file wins; the outer one fills what it does not say. */
function withInherited(own: StateSpec, inherited: Inherited | undefined): StateSpec {
  if (inherited === undefined) return own;
  const { repositories, helmDefaults, commonLabels, apiVersions, kubeVersion, templates } = inherited.spec;
  const fill = { overrides: false, appends: false };
  return {
    ...own,
    repositories:
      repositories === undefined ? own.repositories : joined([...repositories, ...(own.repositories ?? [])]),
    helmDefaults:
      helmDefaults === undefined
        ? own.helmDefaults
        : mergeStructs(helmDefaultsFields, own.helmDefaults ?? {}, helmDefaults, fill),
    commonLabels: new Map([...(commonLabels ?? []), ...(own.commonLabels ?? [])]),
    templates: new Map([...(templates ?? []), ...(own.templates ?? [])]),
    apiVersions:
      apiVersions === undefined ? own.apiVersions : [...new Set([...apiVersions, ...(own.apiVersions ?? [])])],
    kubeVersion: own.kubeVersion ?? kubeVersion,
  };
}

/** Of repositories with one name, the last. */
const joined = (all: readonly RepositorySpec[]): readonly RepositorySpec[] =>
  all.filter(({ name }, index) => all.findLastIndex((other) => other.name === name) === index);
