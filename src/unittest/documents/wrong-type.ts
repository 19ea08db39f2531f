import { meaningOfScalar, type YamlNode } from '../../yaml/index.ts';

/** What go.yaml.in/yaml/v3 says where a node does not fit a type of Go. */
export function wrongTypeMessage(node: YamlNode, type: string): string {
  const shown = node.kind === 'scalar' ? ` \`${shortened(node.value)}\`` : '';
  const tags = { scalar: '!!str', sequence: '!!seq', mapping: '!!map', alias: '!!alias' };
  const tag = node.kind === 'scalar' ? scalarTag(node) : tags[node.kind];
  return `yaml: unmarshal errors:\n  line ${node.line + 1}: cannot unmarshal ${tag}${shown} into ${type}`;
}

const scalarTag = (node: YamlNode & { kind: 'scalar' }): string => `!!${meaningOfScalar(node).kind}`;

const shortened = (value: string): string => (value.length > 10 ? `${value.slice(0, 7)}...` : value);
