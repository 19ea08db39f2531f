export { YamlError } from './errors.ts';
export { lineOfKeys, placeOfKeys } from './line-of-keys.ts';
export type { YamlMistake } from './mistake.ts';
export {
  readOwnYaml,
  readPlainYaml,
  readTypedYaml,
  readYaml,
  readYamlMap,
} from './reader.ts';
export { repeatedKeys } from './repeated-keys.ts';
export {
  type MappingNode,
  meaningOfScalar,
  type Pair,
  pairsOf,
  readYaml3,
  readYamlNode,
  type TimeOf,
  valueOfNode,
  withoutAlias,
  type YamlNode,
} from './version3.ts';
export {
  inOwnOrder,
  writeNumberedTexts,
  writePlainYaml,
  writePlainYamlInOrder,
  writeYaml,
  writeYamlPretty,
} from './writer.ts';
