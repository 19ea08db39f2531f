export { YamlError } from './errors.ts';
export {
  type ReadOptions,
  readPlainYaml,
  readTypedYaml,
  readYaml,
  readYamlList,
  readYamlMap,
} from './reader.ts';
export { writePlainYaml, writeYaml, writeYamlPretty } from './writer.ts';
