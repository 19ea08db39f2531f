import { formatFloat } from '../go/strconv/format-float.ts';
import { quote } from '../go/strconv/strconv.ts';
import { compareText } from '../support/order.ts';
import { meaningOf } from './meaning.ts';
import type { MappingNode, YamlNode } from './parser.ts';

const deepest = 100;

/** A node as fmt's %#v prints what go.yaml.in/yaml/v2 makes of it: `map[interface {}]interface {}{"a":1}`. */
export function goSyntax(node: YamlNode, depth = 0): string {
  if (depth > deepest) return '...';
  switch (node.kind) {
    case 'alias':
      return goSyntax(node.target, depth + 1);
    case 'sequence':
      return `[]interface {}{${node.items.map((item) => goSyntax(item, depth + 1)).join(', ')}}`;
    case 'mapping':
      return `map[interface {}]interface {}{${mapEntries(node, depth).join(', ')}}`;
    case 'scalar': {
      const scalar = meaningOf(node);
      switch (scalar.kind) {
        case 'null':
          return depth === 0 ? '<nil>' : 'interface {}(nil)';
        case 'bool':
          return String(scalar.value);
        case 'int':
          return scalar.value < 2n ** 63n ? String(scalar.value) : `0x${scalar.value.toString(16)}`;
        case 'float':
          return formatFloat(scalar.value, 'g', -1);
        default:
          return quote(scalar.text);
      }
    }
  }
}

/** fmt prints the entries of a map by key. */
function mapEntries(node: MappingNode, depth: number): string[] {
  const entries = new Map<string, string>();
  for (let index = 0; index < node.pairs.length; index += 2) {
    const key = goSyntax(node.pairs[index] as YamlNode, depth + 1);
    entries.set(key, `${key}:${goSyntax(node.pairs[index + 1] as YamlNode, depth + 1)}`);
  }
  return [...entries].sort(([a], [b]) => compareText(a, b)).map(([, text]) => text);
}
