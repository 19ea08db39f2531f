import { extname } from 'node:path';
import type { GoMap } from '../go/value.ts';
import { messageOf, TshelmError } from '../support/errors.ts';
import { type Environment, environmentData, mergedValues, mergeEnvironments, newEnvironment } from './environment.ts';
import { mergeStructs } from './fields.ts';
import { loadEnvironment } from './load-environment.ts';
import { locationOf } from './location.ts';
import { parseState } from './parse-state.ts';
import { checkTopKeys } from './policy.ts';
import { absolute, invalid, isRemote, joined, type Place, type Reading, type StackRequest } from './reading.ts';
import { remotePath } from './remote-path.ts';
import { type EnvironmentSpec, type StateSpec, stateFields } from './schema.ts';
import { deepCopyOf, mergeValueMaps } from './value-maps.ts';
import { glob } from './world.ts';

/** A state file that has been read: all its parts and bases as one. */
export interface LoadedState {
  readonly place: Place;
  readonly spec: StateSpec;
  /** The absolute names of its bases. */
  readonly bases: readonly string[];
  readonly environment: Environment;
  /** `.Values` of its templates. */
  readonly values: GoMap;
}

/** The environment is not one that the file defines: such a file has no say. */
export class UndefinedEnvironment extends Error {}

export interface LoadOptions {
  /** From the file that names this one, where it says `inherits: [environments]`. */
  readonly inherited?: Environment | undefined;
  /** What the command line, or the file that names this one, lays over its values. */
  readonly overrideEnvironment?: Environment | undefined;
  /** Bases have no bases of their own. */
  readonly isBase?: boolean | undefined;
}

/** Reads a state file: its parts in order, each rendered with the values of those before. */
export function loadFile(place: Place, options: LoadOptions, reading: Reading): LoadedState {
  const { world, request } = reading;
  const { inherited, overrideEnvironment, isBase = false } = options;
  const text = world.readFile(absolute(place, place.file)).replaceAll('\r\n', '\n');
  checkTopKeys(place.file, text);
  const isTemplate = extname(place.file) === '.gotmpl' || world.env['HELMFILE_RENDER_YAML'] === 'true';
  let environment = inherited;
  let state: LoadedState | undefined;
  let linesBefore = 0;
  for (const [index, part] of text.split('\n---\n').entries()) {
    const id = `${place.file}.part.${index}`;
    const rendered = isTemplate ? renderPart(part, id, { place, environment, overrideEnvironment }, reading) : part;
    const current = loadPart(
      { text: rendered, linesBefore: isTemplate ? undefined : linesBefore },
      { place, environment, overrideEnvironment, isBase },
      reading,
    );
    state = state === undefined ? current : joinParts(state, current);
    environment = state.environment;
    linesBefore += part.split('\n').length + 1;
    const { environments } = state.spec;
    const isKnown = environments === undefined || environments.size === 0 || environments.has(environment.name);
    if (!isKnown && !isBase && environment.name !== 'default') throw new UndefinedEnvironment();
  }
  const loaded = state as LoadedState;
  const hasEnvironment = inherited !== undefined || overrideEnvironment !== undefined;
  if ((loaded.spec.environments?.size ?? 0) === 0 && !isBase && !hasEnvironment && request.environment !== 'default') {
    throw new UndefinedEnvironment();
  }
  return isBase ? loaded : { ...loaded, spec: checked(withPrograms(loaded.spec, request), loaded, reading) };
}

interface PartContext {
  readonly place: Place;
  readonly environment: Environment | undefined;
  readonly overrideEnvironment: Environment | undefined;
}

function renderPart(text: string, id: string, context: PartContext, { renderers, request }: Reading): string {
  const { place, environment, overrideEnvironment } = context;
  const base =
    environment === undefined && overrideEnvironment === undefined ? newEnvironment(request.environment) : environment;
  const merged = mergeEnvironments(base, overrideEnvironment) as Environment;
  const data = environmentData(merged, request.namespace, mergedValues(merged));
  try {
    return renderers.in(absolute(place, place.base)).render(text, data);
  } catch (cause) {
    throw invalid(place.file, `error during ${id} parsing: ${messageOf(cause)}`, cause);
  }
}

function loadPart(
  { text, linesBefore }: { readonly text: string; readonly linesBefore: number | undefined },
  { place, environment, overrideEnvironment, isBase }: PartContext & { readonly isBase: boolean },
  reading: Reading,
): LoadedState {
  const parsed = parseState({ file: place.file, text, linesBefore });
  const merged = mergeEnvironments(environment, overrideEnvironment);
  if (isBase && (parsed.bases ?? []).length > 0) {
    throw new TshelmError('stack-unsupported', {
      message: `${place.file}: nested \`base\` helmfile is unsupported. please submit a feature request if you need this!`,
      details: { file: place.file },
    });
  }
  const bases = isBase ? [] : (parsed.bases ?? []).map((base) => loadBase(base, merged, place, reading));
  const spec = mergeBases([...bases, parsed]);
  const loaded = loadEnvironment(spec, { place, environment: merged }, reading);
  const own = withExpandedHelmfiles(spec, place, reading);
  const files = isBase
    ? []
    : (parsed.bases ?? []).map((base) =>
        isRemote(base) ? reading.outside.pathOf(base) : absolute(place, joined(place.base, base)),
      );
  return { place, spec: own, bases: files, environment: loaded, values: mergedValues(loaded) };
}

function loadBase(path: string, environment: Environment | undefined, place: Place, reading: Reading): StateSpec {
  const file = isRemote(path) ? remotePath(path, place, reading) : joined(place.base, path);
  return loadFile({ ...place, file }, { inherited: environment, isBase: true }, reading).spec;
}

/** The later part over the earlier ones: its lists take the place of theirs. */
function joinParts(before: LoadedState, current: LoadedState): LoadedState {
  const mode = { overrides: true, appends: false };
  const [from, to] = [before.environment, current.environment];
  return {
    place: before.place,
    spec: mergeStructs(stateFields, before.spec, current.spec, mode),
    bases: [...before.bases, ...current.bases],
    environment: {
      name: to.name || from.name,
      kubeContext: to.kubeContext || from.kubeContext,
      values: mergeValueMaps(from.values, deepCopyOf(to.values), mode),
      defaults: mergeValueMaps(from.defaults, deepCopyOf(to.defaults), mode),
      cliOverrides: mergeValueMaps(from.cliOverrides, deepCopyOf(to.cliOverrides), mode),
    },
    values: current.values,
  };
}

/** Patterns of `helmfiles:` as the files that they stand for. */
function withExpandedHelmfiles(spec: StateSpec, place: Place, { world }: Reading): StateSpec {
  if (spec.helmfiles === undefined) return spec;
  const helmfiles = spec.helmfiles.flatMap((nested) => {
    const path = nested.path ?? '';
    if (isRemote(path)) return [nested];
    const found = glob(world, place.cwd, joined(place.base, path));
    if (found.length > 0) return found.map((one) => ({ ...nested, path: one }));
    if ((spec.missingFileHandler ?? 'Error') === 'Error') throw invalid(place.file, `no matches for path: ${path}`);
    world.warn(`no matches for path: ${path}`);
    return [];
  });
  const self = helmfiles.findIndex(({ path }) => path === place.file || path === '.');
  if (self < 0) return { ...spec, helmfiles };
  throw invalid(place.file, `${place.file} contains a recursion into the same sub-helmfile at helmfiles[${self}]`);
}

const withPrograms = (spec: StateSpec, { kustomizeBinary }: StackRequest): StateSpec => ({
  ...spec,
  helmBinary: spec.helmBinary ?? 'helm',
  kustomizeBinary: kustomizeBinary || (spec.kustomizeBinary ?? 'kustomize'),
});

function checked(spec: StateSpec, loaded: LoadedState, reading: Reading): StateSpec {
  const { file } = loaded.place;
  for (const { name, updateStrategy = '' } of spec.releases ?? []) {
    if (updateStrategy === '' || updateStrategy === 'reinstallIfForbidden') continue;
    const allowed = 'valid values are: reinstallIfForbidden or not set';
    const at = locationOf({ field: 'updateStrategy', release: name, text: updateStrategy }, loaded, reading);
    throw invalid(file, `failed to read ${file}: updateStrategy "${updateStrategy}" is invalid, ${allowed} (${at})`);
  }
  return spec;
}

/** Bases and the file that names them, one over the other: lists are joined, environments with their values. */
function mergeBases(layers: readonly StateSpec[]): StateSpec {
  const [first = {}, ...rest] = layers;
  return rest.reduce((merged, next) => {
    const { environments, ...others } = next;
    const joined = mergeStructs(stateFields, merged, others, { overrides: true, appends: true });
    if (environments === undefined) return joined;
    return { ...joined, environments: joinEnvironments(merged.environments ?? new Map(), environments) };
  }, first);
}

function joinEnvironments(
  before: ReadonlyMap<string, EnvironmentSpec>,
  after: ReadonlyMap<string, EnvironmentSpec>,
): ReadonlyMap<string, EnvironmentSpec> {
  const joined = new Map(before);
  for (const [name, environment] of after) {
    const known = joined.get(name);
    joined.set(name, known === undefined ? environment : joinEnvironment(known, environment));
  }
  return joined;
}

function joinEnvironment(before: EnvironmentSpec, after: EnvironmentSpec): EnvironmentSpec {
  const mergeStrategy = after.mergeStrategy ?? before.mergeStrategy;
  const [low, high] = mergeStrategy === 'fallback' ? [after, before] : [before, after];
  return {
    secrets: [...(before.secrets ?? []), ...(after.secrets ?? [])],
    kubeContext: after.kubeContext ?? before.kubeContext,
    missingFileHandler: after.missingFileHandler ?? before.missingFileHandler,
    missingFileHandlerConfig: after.missingFileHandlerConfig ?? before.missingFileHandlerConfig,
    mergeStrategy,
    values: [...(low.values ?? []), ...(high.values ?? [])],
  };
}
