import { parseTime } from '../go/time/parse.ts';
import { localZone, utc } from '../go/time/zone.ts';
import type { Value } from '../go/value.ts';
import { readYaml3, type TimeOf, valueOfNode, type YamlNode } from '../yaml/index.ts';
import { Time } from './functions/time-object.ts';

/** The value of a YAML text as go.yaml.in/yaml/v3 reads it into any: unquoted dates are times. Throws YamlError. */
export const readAny = (text: string): Value => readYaml3(text, timeOf);

/** The same for a node of a document. */
export const anyOf = (node: YamlNode): Value => valueOfNode(node, timeOf);

/** The layouts of go.yaml.in/yaml/v3 (resolve.go); what is no time by one of them has been a text before. */
const timeOf: TimeOf = (text) => {
  const time = /[Tt ]/.exec(text)?.[0];
  const day = '2006-1-2';
  const layout = time === undefined ? day : `${day}${time}15:4:5.999999999${time === ' ' ? '' : 'Z07:00'}`;
  return new Time(parseTime(layout, text, utc), localZone());
};
