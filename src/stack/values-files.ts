import { dirname } from 'node:path';
import type { GoList, GoMap, Value } from '../go/value.ts';
import { readAny } from '../render/yaml-values.ts';
import { messageOf } from '../support/errors.ts';
import { YamlError } from '../yaml/index.ts';
import { type Environment, environmentData, mergedValues, newEnvironment } from './environment.ts';
import { located, locationOf } from './location.ts';
import { absolute, invalid, type MissingFile, type Place, type Reading, resolveFiles } from './reading.ts';
import { layer, mergeValueMaps } from './value-maps.ts';

export interface ValuesRequest {
  readonly entries: GoList;
  readonly place: Place;
  readonly missing?: MissingFile;
  /** The part of the file that lists them; undefined where another one, or the command line, does. */
  readonly part?: 'environments' | 'values' | undefined;
  /** What the templates among the files see. */
  readonly environment: Environment | undefined;
  /** `fallback`: the first file wins, and later ones fill gaps. */
  readonly strategy?: string | undefined;
}

/** Values from files, templates of files and inline maps, one over the other (EnvironmentValuesLoader). */
export function loadValues(request: ValuesRequest, reading: Reading): GoMap {
  const { entries, place, strategy = '' } = request;
  const { name } = request.environment ?? { name: reading.request.environment };
  if (!['', 'override', 'fallback'].includes(strategy)) {
    const message = `environment "${name}": invalid mergeStrategy "${strategy}" (must be "override" or "fallback")`;
    throw invalid(place.file, message);
  }
  let values: GoMap = new Map();
  for (const entry of entries) {
    const locate = (): string =>
      locationOf({ field: 'values', part: request.part, text: String(entry) }, { place }, reading);
    const over = (): GoMap => withEntry(entry, values, request, reading);
    values = request.part === undefined ? over() : located(locate, over);
  }
  return values;
}

function withEntry(entry: Value, before: GoMap, request: ValuesRequest, reading: Reading): GoMap {
  const { place, missing, strategy = '' } = request;
  let values = before;
  if (typeof entry === 'string') {
    for (const file of resolveFiles('environment values', entry, { place, missing }, reading)) {
      values = merged(values, readValuesFile(file, values, request, reading), strategy);
    }
  } else if (entry instanceof Map) {
    values = merged(values, entry, strategy);
  } else {
    throw invalid(place.file, `${place.file}: unexpected type of value: value=${String(entry)}`);
  }
  return values;
}

const merged = (values: GoMap, more: GoMap, strategy: string): GoMap =>
  strategy === 'fallback' ? layer(more, values) : mergeValueMaps(values, more, { overrides: true, appends: false });

function readValuesFile(file: string, before: GoMap, request: ValuesRequest, reading: Reading): GoMap {
  const { place, strategy } = request;
  if (file.endsWith('.hcl')) {
    throw invalid(place.file, `${file}: HCL values are not supported; write them as YAML`);
  }
  const environment = request.environment ?? newEnvironment(reading.request.environment);
  const path = absolute(place, file);
  const text = renderedFile(path, reading, () => {
    const own = mergedValues(environment);
    const seen = strategy === 'fallback' ? mergeValueMaps(before, own, { overrides: true, appends: false }) : own;
    return environmentData(environment, '', seen);
  });
  return readMap(text, file);
}

/** A file's text; the name ending in `.gotmpl`, what its template prints. */
export function renderedFile(
  path: string,
  { world, renderers }: Reading,
  data: () => ReturnType<typeof environmentData>,
): string {
  const text = world.readFile(path);
  if (!path.endsWith('.gotmpl')) return text;
  try {
    return renderers.in(dirname(path)).render(text, data());
  } catch (cause) {
    throw invalid(path, `failed to render [${path}], because of ${messageOf(cause)}`, cause);
  }
}

/** A YAML mapping; nothing is an empty one. */
export function readMap(text: string, file: string): GoMap {
  try {
    const value = readAny(text);
    if (value === null) return new Map();
    if (value instanceof Map) return value;
    throw new YamlError('yaml: unmarshal errors:\n  line 1: cannot unmarshal into map[string]interface {}', {
      line: 1,
    });
  } catch (cause) {
    if (!(cause instanceof YamlError)) throw cause;
    throw invalid(file, `failed to load values file "${file}": ${cause.message}\n\nOffending YAML:\n${text}`, cause);
  }
}
