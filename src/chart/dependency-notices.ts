import type { GoMap } from '../go/value.ts';
import { nearest } from '../support/near.ts';
import { pairsOf, readYamlNode, withoutAlias, type YamlNode } from '../yaml/index.ts';
import { fileText } from './file-text.ts';
import { type ChartNotice, warn } from './notice.ts';
import type { Chart } from './types.ts';

/** The keys of a dependency that Helm or tshelm reads; their case does not count. */
const keys: readonly string[] = [
  'name',
  'version',
  'repository',
  'condition',
  'tags',
  'enabled',
  'import-values',
  'alias',
  'depends-on',
];

/** Keys of dependencies in Chart.yaml, of the chart and its subcharts, that are ignored because they are misspelt. */
export function misspeltKeys(chart: Chart, path = chart.metadata.name): readonly ChartNotice[] {
  const inside = chart.dependencies.flatMap((child) => misspeltKeys(child, `${path}/charts/${child.metadata.name}`));
  const text = chart.metadata.dependencies === undefined ? undefined : fileText(chart, 'Chart.yaml');
  return text === undefined ? inside : [...keyNotices(text, `${path}/Chart.yaml`), ...inside];
}

function keyNotices(text: string, file: string): readonly ChartNotice[] {
  const node = readYamlNode(text);
  const list = node && member(node, 'dependencies');
  const items = list?.kind === 'sequence' ? list.items.map(withoutAlias) : [];
  return items.flatMap((item) =>
    item.kind !== 'mapping'
      ? []
      : pairsOf(item).flatMap(({ key, keyNode }) => {
          const meant = keys.includes(key.toLowerCase()) ? undefined : nearest(key, keys);
          if (meant === undefined) return [];
          const at = `${file}:${keyNode.line + 1}`;
          return [warn(`unknown key of a dependency is ignored; did you mean ${JSON.stringify(meant)}?`, { key, at })];
        }),
  );
}

function member(node: YamlNode, key: string): YamlNode | undefined {
  const target = withoutAlias(node);
  const pair = target.kind === 'mapping' ? pairsOf(target).find((one) => one.key === key) : undefined;
  return pair && withoutAlias(pair.value);
}

/** A path of `condition` that no value has, where one has nearly its name. */
export function misspeltCondition(path: string, chart: string, values: GoMap): readonly ChartNotice[] {
  const parts = path.split('.');
  let at: unknown = values;
  for (const [index, part] of parts.entries()) {
    if (!(at instanceof Map)) return [];
    if (!at.has(part)) {
      const meant = nearest(part, at.keys() as Iterable<string>);
      if (meant === undefined) return [];
      const instead = [...parts.slice(0, index), meant, ...parts.slice(index + 1)].join('.');
      return [
        warn(`the values have nothing at the condition's path; did you mean ${JSON.stringify(instead)}?`, {
          path,
          chart,
        }),
      ];
    }
    at = at.get(part);
  }
  return [];
}
