import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { apiVersionOf, minors, moduleFolder } from './modules.mjs';
import { discovered } from './served.mjs';

// One of each minor version: what is in the sources of today was not always all of it. The oldest has the first lifecycles.
const apiModules =
  '0.20.6 0.21.1 0.22.5 0.23.16 0.24.3 0.25.9 0.26.9 0.27.4 0.28.3 0.29.15 0.30.14 0.31.14 0.32.13 0.33.13 0.34.13 0.35.10 0.36.6'.split(
    ' ',
  );
// What Helm is built with, so that its `lint` knows these and no others.
const helmsModule = '0.37.1';

/** The table of src/kinds/lifecycles.txt: when each version of each kind came, was deprecated, and goes. */
export function lifecycleTable() {
  const lifecycles = new Map();
  const folders = [
    ...apiModules.map((version) => moduleFolder('k8s.io/api', version)),
    join(moduleFolder('k8s.io/apiextensions-apiserver', '0.37.2'), 'pkg/apis'),
    join(moduleFolder('k8s.io/kube-aggregator', '0.37.2'), 'pkg/apis'),
  ];
  for (const folder of folders) readFolder(folder, lifecycles, false);
  readFolder(moduleFolder('k8s.io/api', helmsModule), lifecycles, true);
  removeListsLikeTheirItems(lifecycles);
  addDiscovered(lifecycles);
  return [...lifecycles]
    .map(([kind, lifecycle]) => [...kind.split(' '), ...columnsOf(lifecycle)].join(' '))
    .sort((a, b) => (a < b ? -1 : 1))
    .join('\n');
}

const columnsOf = ({ introduced, deprecated = '-', removed = '-', replacement = '-', isHelms }) => [
  introduced,
  deprecated,
  removed,
  replacement.replace(' ', '/'),
  ...(isHelms || deprecated === '-' ? [] : ['not-helm']),
];

function readFolder(folder, lifecycles, isHelms) {
  for (const [group, version] of packagesIn(folder)) {
    const files = ['zz_generated.prerelease-lifecycle.go', 'lifecycle.go'].map((name) =>
      join(folder, group, version, name),
    );
    const source = files
      .filter(existsSync)
      .map((file) => readFileSync(file, 'utf8'))
      .join('\n');
    const apiVersion = apiVersionOf(groupName(join(folder, group), version), version);
    for (const [, kind, body] of source.matchAll(/^func \(in \*(\w+)\) APILifecycle(\w+\(\) .*\n\treturn .*)\n\}/gm)) {
      const key = `${apiVersion} ${kind}`;
      lifecycles.set(key, { ...lifecycles.get(key), ...statement(body), isHelms });
    }
  }
}

/** Without the groups whose kinds nobody creates. */
function packagesIn(folder) {
  const groups = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return groups
    .flatMap(({ name }) => readdirSync(join(folder, name)).map((version) => [name, version]))
    .filter(([group]) => !['admission', 'apidiscovery'].includes(group))
    .filter((path) => existsSync(join(folder, ...path, 'zz_generated.prerelease-lifecycle.go')));
}

/** The name of the API group, which is declared beside the types or above all versions. */
function groupName(folder, version) {
  const files = [join(folder, version, 'register.go'), join(folder, 'register.go')].filter(existsSync);
  return files
    .map((file) => /GroupName\s*=\s*"([^"]*)"/.exec(readFileSync(file, 'utf8')))
    .find((found) => found !== null)[1];
}

/** `Removed() (major, minor int) {\n\treturn 1, 25` */
function statement(body) {
  const name = /^\w+/.exec(body)[0].toLowerCase();
  if (name !== 'replacement') return { [name]: /return (\d+), (\d+)/.exec(body).slice(1).join('.') };
  const [, group, version, kind] = /Group: "(.*)", Version: "(.*)", Kind: "(.*)"/.exec(body);
  return { replacement: `${apiVersionOf(group, version)} ${kind}` };
}

/** What the API servers list counts more than what was planned for a version; some alpha versions have no plan. */
function addDiscovered(lifecycles) {
  const byMinor = new Map(minors.map((minor) => [minor, new Set(discovered(minor).map(keyOf))]));
  for (const key of new Set([...byMinor.values()].flatMap((keys) => [...keys]))) {
    const having = minors.filter((minor) => byMinor.get(minor).has(key));
    const planned = lifecycles.get(key);
    const lifecycle = { introduced: `1.${having[0]}`, ...planned };
    const gone = having.at(-1) + 1;
    if (gone <= minors.at(-1) && lifecycle.removed !== `1.${gone}`) {
      if (planned?.isHelms) throw new Error(`${key} was removed earlier than planned`);
      lifecycle.removed = `1.${gone}`;
    }
    lifecycles.set(key, lifecycle);
  }
}

const keyOf = ({ group, version, kind }) => `${apiVersionOf(group, version)} ${kind}`;

/** A DeploymentList is as old as a Deployment, with few exceptions. */
function removeListsLikeTheirItems(lifecycles) {
  for (const [key, lifecycle] of lifecycles) {
    const items = lifecycles.get(key.slice(0, -'List'.length));
    if (!key.endsWith('List') || items === undefined) continue;
    const replacement = items.replacement && `${items.replacement}List`;
    const { deprecated, removed, isHelms } = lifecycle;
    const isAlike = deprecated === items.deprecated && removed === items.removed && isHelms === items.isHelms;
    if (isAlike && replacement === lifecycle.replacement) lifecycles.delete(key);
  }
}
