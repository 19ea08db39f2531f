import { createHash } from 'node:crypto';
import { extname, resolve } from 'node:path';
import { GoStruct } from '../go/struct.ts';
import { encodeText } from '../go/text.ts';
import type { GoMap, Value } from '../go/value.ts';
import { readAny } from '../render/yaml-values.ts';
import { messageOf } from '../support/errors.ts';
import { TemplateSet } from '../template/template-set.ts';
import { writeYamlPretty } from '../yaml/index.ts';
import { environmentObject } from './environment.ts';
import { releaseStruct } from './hooks.ts';
import type { StackFile } from './read-stack.ts';
import { absolute, invalid, type Reading } from './reading.ts';
import { textsOfRelease } from './release-values.ts';
import type { ReleaseSpec } from './schema.ts';
import { mergeValueMaps } from './value-maps.ts';

/** A file of values to be written, and what it says. */
export interface ValuesFile {
  /** Absolute. */
  readonly path: string;
  readonly text: string;
}

export interface ValuesFileOptions {
  /** A Go template of the file's name; '' for helmfile's own. */
  readonly outputFileTemplate: string;
  /** YAML texts that are laid over each release's values. */
  readonly added: readonly string[];
}

/**
 * The values of a release in one file, as `helmfile write-values` writes it: those of `values` and `secrets`, without
 * what `set` says. Errors: `stack-invalid`, `secret-failed`.
 */
export function valuesFileOf(
  release: ReleaseSpec,
  file: StackFile,
  { outputFileTemplate, added }: ValuesFileOptions,
  reading: Reading,
): ValuesFile {
  const texts = [...textsOfRelease(release, file, reading).map(({ text }) => text), ...added];
  const values = texts.reduce<GoMap>(
    (under, text) => mergeValueMaps(under, mapOf(text, release, file), { overrides: true, appends: false }),
    new Map(),
  );
  return {
    path: absolute(file.place, outputPath(outputFileTemplate, release, file)),
    text: writeYamlPretty(values),
  };
}

function mapOf(text: string, release: ReleaseSpec, { place }: StackFile): GoMap {
  const refuse = (problem: string, cause?: unknown): Error =>
    invalid(place.file, `unmarshalling yaml: the values of release ${release.name ?? ''}: ${problem}`, cause);
  let value: Value;
  try {
    value = readAny(text);
  } catch (cause) {
    throw refuse(messageOf(cause), cause);
  }
  if (value === null) return new Map();
  if (value instanceof Map) return value;
  throw refuse('they must be a map');
}

const defaultTemplate = '{{ .State.BaseName }}-{{ .State.AbsPathSHA1 }}/{{ .Release.Name }}.yaml';

/** HelmState.GenerateOutputFilePath. */
function outputPath(template: string, release: ReleaseSpec, file: StackFile): string {
  const { place, environment } = file;
  const path = resolve(place.cwd, place.file);
  const digest = createHash('sha1').update(encodeText(path)).digest('hex').slice(0, 8);
  const state = new GoStruct('state.state', [
    ['BaseName', place.file.slice(0, place.file.length - extname(place.file).length)],
    ['Path', place.file],
    ['AbsPath', path],
    ['AbsPathSHA1', digest],
  ]);
  const data = new Map<string, Value>([
    ['State', state],
    ['Release', releaseStruct(release)],
    ['Environment', environmentObject(environment)],
  ]);
  try {
    const set = new TemplateSet({ name: 'output-file', functions: {}, missingKey: 'default' });
    return set.executeSource('output-file', template || defaultTemplate, data);
  } catch (cause) {
    throw invalid(place.file, `the template of the output files ${template}: ${messageOf(cause)}`, cause);
  }
}
