import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compare, compareMemory } from './timing.mjs';

const charts = 310;
const versionsOfEach = 100;

/** Repositories, dependencies and a large index, from a server on loopback. */
export async function sources({ root, helm, tshelm }) {
  if (helm === undefined) return;
  const folder = mkdtempSync(join(tmpdir(), 'tshelm-bench-'));
  const server = spawn(process.execPath, [join(root, 'test/bench/file-server.mjs'), join(folder, 'served')]);
  const url = `http://127.0.0.1:${await firstLine(server.stdout)}`;
  try {
    prepare(folder, helm, url);
    const both = (words, home) =>
      [helm, tshelm].map((command) => ({
        name: command === helm ? 'helm' : 'tshelm',
        command,
        args: [...words, ...homeFlags(folder, home)],
      }));
    const race = (title, words, home, runs) => compare(title, both(words, home), runs);
    race('search repo, an index of 31,000 versions', ['search', 'repo', 'chart-00'], 'big', 3);
    await compareMemory('the same: memory', both(['search', 'repo', 'chart-00'], 'big'));
    race('repo update, 20 repositories', ['repo', 'update'], 'twenty', 3);
    const build = ['dependency', 'build', join(folder, 'parent')];
    race('dependency build, 20 dependencies', build, 'one', 3);
    const before = () => rmSync(join(folder, 'one/content'), { recursive: true, force: true });
    const cold = both(build, 'one').map((command) => ({ ...command, before }));
    compare('the same, nothing in the content cache', cold, 3);
  } finally {
    server.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

const firstLine = (stream) => new Promise((done) => stream.once('data', (data) => done(data.toString().trim())));

const homeFlags = (folder, name) => [
  '--repository-config',
  join(folder, name, 'repositories.yaml'),
  '--repository-cache',
  join(folder, name, 'cache'),
  '--content-cache',
  join(folder, name, 'content'),
];

function prepare(folder, helm, url) {
  const run = (...words) => spawnSync(helm, words, { cwd: folder });
  mkdirSync(join(folder, 'served'));
  const names = Array.from({ length: 20 }, (_, number) => `dependency-${number}`);
  run('create', 'chart');
  for (const name of names) {
    cpSync(join(folder, 'chart'), join(folder, name), { recursive: true });
    const chartYaml = readFileSync(join(folder, name, 'Chart.yaml'), 'utf8');
    writeFileSync(join(folder, name, 'Chart.yaml'), chartYaml.replace('name: chart', `name: ${name}`));
    run('package', name, '-d', 'served');
  }
  run('repo', 'index', 'served');
  const small = readFileSync(join(folder, 'served/index.yaml'), 'utf8');
  const withMany = small.replace('entries:\n', `entries:\n${entries(charts, versionsOfEach / 20)}`);
  writeFileSync(join(folder, 'served/index.yaml'), withMany);
  home(folder, 'big', [url], `apiVersion: v1\nentries:\n${entries(charts, versionsOfEach)}`);
  home(
    folder,
    'twenty',
    Array.from({ length: 20 }, (_, number) => `${url}/repo${number}`),
    withMany,
  );
  home(folder, 'one', [url], withMany);
  mkdirSync(join(folder, 'parent'));
  const dependencies = names.map((name) => `- name: ${name}\n  version: 0.x.x\n  repository: ${url}\n`).join('');
  writeFileSync(
    join(folder, 'parent/Chart.yaml'),
    `apiVersion: v2\nname: parent\nversion: 1.0.0\ndependencies:\n${dependencies}`,
  );
  run('dependency', 'update', 'parent', ...homeFlags(folder, 'one'));
}

function home(folder, name, urls, index) {
  mkdirSync(join(folder, name, 'cache'), { recursive: true });
  const repositories = urls.map((url, number) => `- name: web${number}\n  url: ${url}\n`).join('');
  writeFileSync(join(folder, name, 'repositories.yaml'), `repositories:\n${repositories}`);
  urls.forEach((_url, number) => writeFileSync(join(folder, name, 'cache', `web${number}-index.yaml`), index));
}

/** As a large public repository has them: about 1 KB a version. */
function entries(count, versions) {
  let text = '';
  for (let chart = 0; chart < count; chart++) {
    const name = `chart-${String(chart).padStart(3, '0')}`;
    text += `  ${name}:\n`;
    for (let version = versions - 1; version >= 0; version--) text += entry(name, version);
  }
  return text;
}

const entry = (name, version) => `  - annotations:
      category: Database
      images: |
        - image: docker.io/example/${name}:${version}.0.1
          name: ${name}
        - image: docker.io/example/os-shell:12-r${version}
          name: os-shell
      licenses: Apache-2.0
    apiVersion: v2
    appVersion: 1.4.${version}
    created: "2024-01-10T12:43:17.123456789Z"
    dependencies:
    - condition: redis.enabled
      name: redis
      repository: oci://registry.example.com/charts
      version: 18.x.x
    - name: common
      repository: oci://registry.example.com/charts
      tags:
      - example-common
      version: 2.x.x
    description: ${name} is a thing of the kind that one searches for, with a description
      that goes on in a second line.
    digest: ${version.toString(16).padStart(64, 'a')}
    home: https://example.com
    icon: https://example.com/assets/${name}/img/${name}-220x234.png
    keywords:
    - ${name}
    - database
    - replication
    kubeVersion: '>=1.23.0-0'
    maintainers:
    - email: team@example.com
      name: Example
      url: https://github.com/example/charts
    name: ${name}
    sources:
    - https://github.com/example/charts/tree/main/${name}
    type: application
    urls:
    - https://charts.example.com/${name}-1.${version}.0.tgz
    version: 1.${version}.0
`;
