import { readJson, writeJson } from '../../src/go/json/json.ts';
import { readYaml, readYamlMap, writeYaml, writeYamlPretty } from '../../src/yaml/index.ts';
import { readYamlList } from '../../src/yaml/reader.ts';

/** What test/e2e/go-yaml asks Go's libraries, asked here: text in, text out. */
export const yamlOperations: Readonly<Record<string, (input: string) => string>> = {
  readYaml: (input) => writeJson(readYaml(input)),
  readYamlStrict: (input) => writeJson(readYaml(input, { strict: true })),
  readYamlMap: (input) => writeJson(readYamlMap(input)),
  readYamlList: (input) => writeJson(readYamlList(input)),
  writeYaml: (input) => writeYaml(readJson(input)),
  writeYamlPretty: (input) => writeYamlPretty(readJson(input)),
};
