export { YamlError } from './errors.ts';
export { type KeyPlace, lineOfKeys, placeOfKeys } from './line-of-keys.ts';
export {
  type ReadOptions,
  readPlainYaml,
  readTypedYaml,
  readYaml,
  readYamlList,
  readYamlMap,
} from './reader.ts';
export {
  type MappingNode,
  meaningOfScalar,
  type Pair,
  pairsOf,
  readYaml3,
  readYamlNode,
  type ScalarNode,
  type TimeOf,
  valueOfNode,
  withoutAlias,
  type YamlNode,
} from './version3.ts';
export { inOwnOrder, writePlainYaml, writePlainYamlInOrder, writeYaml, writeYamlPretty } from './writer.ts';
