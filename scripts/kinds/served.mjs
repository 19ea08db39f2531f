import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { kubernetesFolder, merged, minors } from './modules.mjs';

const allVerbs = 'create,delete,deletecollection,get,list,patch,update,watch';
const verbTexts = { [allVerbs]: 'all', [allVerbs.replace('deletecollection,', '')]: 'no-deletecollection' };

/** Every kind that a version knows, those that are off by default included, in discovery's order. */
export function discovered(minor) {
  const folder = join(kubernetesFolder(minor), 'api/discovery');
  const core = JSON.parse(readFileSync(join(folder, 'api__v1.json'), 'utf8')).resources;
  const { items } = JSON.parse(readFileSync(join(folder, 'aggregated_v2.json'), 'utf8'));
  return [...coreKinds(core), ...items.flatMap(groupKinds)];
}

const coreKinds = (resources) =>
  resources
    .filter(({ name }) => !name.includes('/'))
    .map((resource) => ({
      ...resource,
      group: '',
      version: 'v1',
      plural: resource.name,
      scope: resource.namespaced ? 'Namespaced' : 'Cluster',
      subresources: resources
        .map(({ name }) => name.split('/'))
        .filter(([plural, name]) => plural === resource.name && name)
        .map(([, name]) => name),
    }));

const groupKinds = ({ metadata, versions }) =>
  versions.flatMap(({ version, resources }) =>
    resources.map((resource) => ({
      ...resource,
      group: metadata.name,
      version,
      plural: resource.resource,
      kind: resource.responseKind.kind,
      subresources: (resource.subresources ?? []).map(({ subresource }) => subresource),
    })),
  );

/** An API server serves alpha and beta versions only if asked: DefaultAPIResourceConfigSource in pkg/controlplane. */
export const isServed = ({ version }) => !/alpha|beta/.test(version);

/** The table of src/sandbox/kinds/built-in.txt. */
export function servedTable() {
  const rows = new Map(minors.map((minor) => [minor, discovered(minor).filter(isServed).map(columnsOf)]));
  const order = mergedOrder(minors.map((minor) => rows.get(minor).map((columns) => columns.join(' '))));
  const table = order.map((line) => {
    const columns = line.split(' ');
    const range = merged((minor) => (rows.get(minor).some((row) => row.join(' ') === line) ? '' : undefined));
    return [...columns.slice(0, -1), range.slice(1) || '-', columns.at(-1)];
  });
  const widths = table[0].map((_, index) => Math.max(...table.map((columns) => columns[index].length)));
  return table
    .map((columns) =>
      columns
        .map((text, index) => text.padEnd(widths[index]))
        .join(' ')
        .trimEnd(),
    )
    .join('\n');
}

const listed = (texts = []) => texts.join(',') || '-';

function columnsOf({ group, version, plural, kind, scope, verbs, shortNames, categories, subresources }) {
  const sorted = verbs.toSorted().join(',');
  return [
    group || '-',
    version,
    plural,
    kind,
    scope,
    verbTexts[sorted] ?? sorted,
    listed(shortNames),
    listed(categories),
    listed(subresources),
  ];
}

/** One order that keeps that of each list: what only a later list has follows what comes before it there. */
function mergedOrder(lists) {
  const order = [];
  for (const list of lists) {
    list.forEach((line, index) => {
      if (!order.includes(line)) order.splice(order.indexOf(list[index - 1]) + 1, 0, line);
    });
  }
  return order;
}
