export { YamlError } from './errors.ts';
export {
  type ReadOptions,
  readPlainYaml,
  readPlainYamlDocuments,
  readTypedYaml,
  readYaml,
  readYamlList,
  readYamlMap,
} from './reader.ts';
export { writePlainYaml, writeYaml, writeYamlPretty } from './writer.ts';
