import { readJson, readJsonList, readJsonMap, writeJson } from '../../go/json/json.ts';
import { LimitError } from '../../go/limits.ts';
import { decodeText } from '../../go/text.ts';
import { localZone } from '../../go/time/zone.ts';
import { GoError, type GoList, type GoMap, type Value } from '../../go/value.ts';
import { comesFromStackOverflow } from '../../support/stack-overflow.ts';
import { type FunctionTable, goFunction } from '../../template/function.ts';
import { readYamlList, readYamlMap } from '../../yaml/reader.ts';
import { writeYaml, writeYamlPretty } from '../../yaml/writer.ts';
import { decodeBase32, encodeBase32 } from '../encoding/base32.ts';
import { decodeBase64, encodeBase64 } from '../encoding/base64.ts';
import type { FunctionEnvironment } from './environment.ts';
import { readToml, writeToml } from './toml.ts';

/**
 * YAML, JSON, TOML and base64 in templates. The YAML and TOML functions, toJson, fromJson and fromJsonArray are Helm's
 * own (pkg/engine/funcs.go) and take the place of sprig's, the others are sprig's. In Helm's, `from…` puts an error
 * into its result (under "Error", or as the only item), and `to…` writes nothing for a value that cannot be written.
 */
export const encoderFunctions = ({ now, timeZone }: FunctionEnvironment): FunctionTable => ({
  toYaml: writer((value) => orEmpty(() => yamlText(value))),
  mustToYaml: writer(yamlText),
  toYamlPretty: writer((value) => orEmpty(() => withoutLastBreak(writeYamlPretty(value)))),
  fromYaml: mapReader(readYamlMap),
  fromYamlArray: listReader(readYamlList),

  toJson: writer((value) => orEmpty(() => compactJson(value))),
  mustToJson: writer(compactJson),
  toPrettyJson: writer((value) => orEmpty(() => prettyJson(value))),
  mustToPrettyJson: writer(prettyJson),
  toRawJson: writer(rawJson),
  mustToRawJson: writer(rawJson),
  fromJson: mapReader(readJsonMap),
  mustFromJson: goFunction('func(string) (any, error)', readJson),
  fromJsonArray: listReader(readJsonList),

  toToml: writer(tomlOrMessage),
  mustToToml: writer(tomlText),
  fromToml: mapReader((text) => readToml(text, { local: localZone(timeZone), now: now() })),

  b64enc: goFunction('func(string) string', encodeBase64),
  b64dec: goFunction('func(string) string', (text: string) => orMessage(() => decodeText(decodeBase64(text)))),
  b32enc: goFunction('func(string) string', encodeBase32),
  b32dec: goFunction('func(string) string', (text: string) => orMessage(() => decodeText(decodeBase32(text)))),
});

function writer(write: (value: Value) => string): FunctionTable[string] {
  return goFunction('func(any) string', write);
}

function mapReader(read: (text: string) => GoMap): FunctionTable[string] {
  return goFunction('func(string) map[string]any', (text: string) =>
    unlessGoFails(
      () => read(text),
      (message) => new Map([['Error', message]]),
    ),
  );
}

function listReader(read: (text: string) => GoList): FunctionTable[string] {
  return goFunction('func(string) []any', (text: string) =>
    unlessGoFails(
      () => read(text),
      (message) => [message],
    ),
  );
}

const withoutLastBreak = (text: string): string => (text.endsWith('\n') ? text.slice(0, -1) : text);

function yamlText(value: Value): string {
  return withoutLastBreak(writeYaml(value));
}
function compactJson(value: Value): string {
  return writeJson(value);
}
function prettyJson(value: Value): string {
  return writeJson(value, { indent: '  ' });
}
function rawJson(value: Value): string {
  return writeJson(value, { escapeHtml: false });
}

/** The library's reflection cannot look at nil, which even toToml does not catch. */
function tomlText(value: Value): string {
  if (value === null || value === undefined) throw new GoError('reflect: call of reflect.Value.Type on zero Value');
  return writeToml(value);
}

function tomlOrMessage(value: Value): string {
  return value === null || value === undefined ? tomlText(value) : orMessage(() => tomlText(value));
}

const orEmpty = (write: () => string): string => unlessGoFails(write, () => '');
const orMessage = (write: () => string): string => unlessGoFails(write, (message) => message);

function unlessGoFails<T>(run: () => T, otherwise: (message: string) => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof GoError && !(error instanceof LimitError) && !comesFromStackOverflow(error))
      return otherwise(error.message);
    throw error;
  }
}
