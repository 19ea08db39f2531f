import { readYamlNode, type YamlNode } from './version3.ts';

type Path = readonly (string | number)[];

/** Where a YAML text has a key more than once in one mapping: the path to each such key, told once. */
export function repeatedKeys(text: string): readonly Path[] {
  const node = readYamlNode(text);
  return node === undefined ? [] : repeatedBelow(node, []);
}

function repeatedBelow(node: YamlNode, path: Path): readonly Path[] {
  if (node.kind === 'sequence') return node.items.flatMap((item, index) => repeatedBelow(item, [...path, index]));
  if (node.kind !== 'mapping') return [];
  const paths: Path[] = [];
  const counts = new Map<string, number>();
  for (let index = 0; index < node.pairs.length; index += 2) {
    const [key, value] = node.pairs.slice(index, index + 2) as [YamlNode, YamlNode];
    const name = key.kind === 'scalar' ? key.value : '';
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    if (count === 2 && key.kind === 'scalar') paths.push([...path, name]);
    paths.push(...repeatedBelow(value, [...path, name]));
  }
  return paths;
}
