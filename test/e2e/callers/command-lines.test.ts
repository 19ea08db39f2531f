import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect } from '../../../src/cluster/connect.ts';
import { compareText } from '../../../src/support/order.ts';
import { type Registry, startRegistry } from '../source/registry.ts';
import { addChart, type Repository, startRepository } from './repository.ts';
import { bin, type CallOptions, openSides, type Ran, type SideName } from './sides.ts';

/**
 * The command lines that these programs give to `helm`, word for word after their sources of August 2026, with Helm and
 * with tshelm in its place. A line is a test of its own; lines of one program build on those before.
 */
const sides = openSides();
const { folder, write } = sides;
const user = { name: 'jo', password: 'secret' };
let registry: Registry;
let lockedRegistry: Registry;
let repository: Repository;

beforeAll(async () => {
  repository = await startRepository(join(folder, 'repository'), user);
  registry = await startRegistry(join(folder, 'registry'));
  lockedRegistry = await startRegistry(join(folder, 'locked'), { user });
  writeCharts();
  for (const which of ['helm', 'tshelm'] as const) mkdirSync(join(sides.own(which), 'out'));
  const helm = (...words: string[]) =>
    execFileSync(join(bin, 'helm'), words, { cwd: folder, env: { ...process.env, HOME: folder }, stdio: 'pipe' });
  addChart(repository, join(folder, 'lib'));
  helm('push', 'repository/lib-0.1.0.tgz', `oci://${registry.host}/charts`, '--plain-http');
  const credentials = ['--username', user.name, '--password', user.password];
  const authority = ['--ca-file', join(folder, 'locked/ca.pem')];
  helm('push', 'repository/lib-0.1.0.tgz', `oci://${lockedRegistry.host}/charts`, ...credentials, ...authority);
});
afterAll(async () => {
  registry.stop();
  lockedRegistry.stop();
  repository.stop();
  const cluster = await connect();
  for (const which of ['helm', 'tshelm'] as const) {
    const name = `things.${groupOf(which)}`;
    const crds = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', namespace: '', name };
    await cluster.delete(crds);
  }
  cluster.close();
  await sides.remove();
});

function writeCharts(): void {
  write('lib/Chart.yaml', 'apiVersion: v2\nname: lib\nversion: 0.1.0\n');
  write('lib/templates/lib.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Release.Name }}-lib\n');
  // Each side has one of its own: the programs write Chart.lock and charts/ there.
  for (const which of ['helm', 'tshelm'] as const) {
    const web = `${basename(sides.own(which))}/web`;
    write(
      `${web}/Chart.yaml`,
      `apiVersion: v2\nname: web\nversion: 0.2.0\nappVersion: "7"\ndependencies:\n- name: lib\n  version: ^0.1.0\n  repository: ${repository.url}\n`,
    );
    write(`${web}/values.yaml`, 'v: 1\nimage: web:1\n');
    write(`${web}/ci/other-values.yaml`, 'v: 3\n');
    write(`${web}/crds/thing.yaml`, crd(which));
    write(`${web}/templates/map.yaml`, map);
    write(`${web}/templates/NOTES.txt`, '{{ .Release.Name }} is there.\n');
    write(`${web}/templates/tests/test.yaml`, hookedMap('test'));
    write(`${web}/templates/hook.yaml`, hookedMap('pre-upgrade'));
  }
}

/** The group of each side's own kind: a kind belongs to the whole cluster. */
const groupOf = (which: SideName): string => `callers-${basename(sides.own(which))}-${process.pid}.example.com`;

const crd = (which: SideName): string => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: things.${groupOf(which)}
spec:
  group: ${groupOf(which)}
  names: {kind: Thing, plural: things}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object}}
`;
const map = `apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}-map
  labels:
    app: web
data:
  v: {{ .Values.v | quote }}
  image: {{ .Values.image | quote }}
  kube: {{ .Capabilities.KubeVersion.Version | quote }}
  has: {{ .Capabilities.APIVersions.Has "example.com/v1/Thing" | quote }}
  file: {{ .Values.f | default "" | quote }}
`;
const hookedMap = (event: string): string => `apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}-${event}
  annotations:
    helm.sh/hook: ${event}
data:
  v: {{ .Values.v | quote }}
`;

/** What a word in capitals stands for on a side. */
const namesOf = (which: SideName): Readonly<Record<string, string>> => ({
  NAMESPACE: sides.namespace('lines', which),
  WEB: join(sides.own(which), 'web'),
  OUT: join(sides.own(which), 'out'),
  PLUGIN: join(sides.own(which), 'render-123'),
  REPOSITORY: repository.url,
  REGISTRY: registry.host,
  LOCKED: lockedRegistry.host,
  AUTHORITY: join(folder, 'locked/ca.pem'),
  KUBECONFIG: process.env['KUBECONFIG'] as string,
  CONTEXT: /^current-context: (.*)$/m.exec(readFileSync(process.env['KUBECONFIG'] as string, 'utf8'))?.[1] ?? '',
});

const filled = (line: string, which: SideName): string[] =>
  line.split(' ').map((word) => word.replace(/[A-Z]{3,}/g, (name) => namesOf(which)[name] ?? name));

/** Runs a line in the chart's folder on both sides; what files there are must be the same afterwards, too. */
async function sameOnBoth(line: string, options: CallOptions, env?: EnvironmentOf): Promise<Ran> {
  const ran = await sides.bothHelms(
    (which) => filled(line, which),
    (which) => ({ ...options, env: env?.(which) ?? {}, cwd: join(sides.own(which), 'web') }),
  );
  const left = (which: SideName): readonly string[] =>
    readdirSync(sides.own(which), { recursive: true, encoding: 'utf8' }).sort(compareText);
  expect(left('tshelm')).toEqual(left('helm'));
  return ran;
}

type EnvironmentOf = (which: SideName) => Readonly<Record<string, string>>;

/** A command line with its exit code; what stands behind `<` is given on standard input. */
type Line = readonly [code: number, line: string];

const each = (lines: readonly Line[], env?: EnvironmentOf): void =>
  test.each(lines)('%i: helm %s', async (code, line) => {
    const [words = '', stdin = ''] = line.split(' <');
    const ran = await sameOnBoth(words, { stdin }, env);
    expect(ran.code, ran.stderr).toBe(code);
  });

describe("Argo CD's repository server", () => {
  // It gives Helm a home by XDG's variables, and by one of Helm's own.
  const env: EnvironmentOf = (which) => {
    const home = join(sides.home(which), 'argo');
    const xdg = { XDG_CACHE_HOME: `${home}/cache`, XDG_CONFIG_HOME: `${home}/config`, XDG_DATA_HOME: `${home}/data` };
    return { ...xdg, HELM_CONFIG_HOME: `${home}/config`, HELM_CACHE_HOME: '', HELM_DATA_HOME: '' };
  };
  test('what it takes for a dependency that is not there', async () => {
    const { stderr } = await sameOnBoth('template . --name-template app', {}, env);
    expect(stderr).toContain('found in Chart.yaml, but missing in charts/ directory');
  });
  each(
    [
      [1, 'dependency build'],
      [0, 'repo add --username jo --password secret --pass-credentials web REPOSITORY'],
      [0, 'dependency build'],
      [0, 'show values .'],
      [0, 'show chart .'],
      [
        0,
        'template . --name-template app --namespace NAMESPACE --kube-version 1.31.2 --set v=a\\,b --set image={a,b} --set-string w=1 --set-file f=values.yaml --values ci/other-values.yaml --api-versions v1 --api-versions example.com/v1/Thing --include-crds',
      ],
      [0, 'template . --name-template app --namespace NAMESPACE --skip-schema-validation --skip-tests'],
      [1, 'template . --name-template app --set nope'],
      [0, 'pull --destination OUT --version 0.1.0 --username jo --password secret --repo REPOSITORY lib'],
      [1, 'pull --destination OUT --version 9.9.9 --username jo --password secret --repo REPOSITORY lib'],
      [1, 'pull --destination OUT --version 0.1.0 --username jo --password wrong --repo REPOSITORY lib'],
      [0, 'pull oci://REGISTRY/charts/lib --version 0.1.0 --destination OUT --plain-http'],
      [0, 'registry login LOCKED --username jo --password-stdin --ca-file AUTHORITY <secret'],
      [0, 'pull oci://LOCKED/charts/lib --version 0.1.0 --destination OUT --ca-file AUTHORITY'],
      [0, 'registry logout LOCKED'],
      [1, 'pull oci://LOCKED/charts/lib --version 0.1.0 --destination OUT --ca-file AUTHORITY'],
      [1, 'registry login LOCKED --username jo --password-stdin --ca-file AUTHORITY <wrong'],
    ],
    env,
  );
});

describe('Skaffold', () => {
  // Its own program is the post-renderer, in a plugin that it installs for one run.
  beforeAll(async () => {
    for (const which of ['helm', 'tshelm'] as const) {
      const add = ['repo', 'add', 'web', repository.url, '--username', user.name, '--password', user.password];
      await sides.call(sides.helm(which), add, which);
      const plugin = `${basename(sides.own(which))}/render-123`;
      write(
        `${plugin}/plugin.yaml`,
        `name: render-123\nversion: 0.1.0\ntype: postrenderer/v1\napiVersion: v1\nruntime: subprocess\nruntimeConfig:\n  platformCommand:\n  - command: ${folder}/render\n`,
      );
    }
    writeFileSync(join(folder, 'render'), '#!/bin/sh\nsed "s/image: \\"web:1\\"/image: \\"$SKAFFOLD_CMDLINE\\"/"\n', {
      mode: 0o755,
    });
  });
  const env: EnvironmentOf = () => ({ SKAFFOLD_CMDLINE: 'web:built', SKAFFOLD_FILENAME: 'skaffold.yaml' });
  each(
    [
      [0, 'plugin install PLUGIN'],
      [0, '--kube-context CONTEXT dep build WEB --kubeconfig KUBECONFIG'],
      [
        0,
        '--kube-context CONTEXT template app WEB --post-renderer render-123 --set v=2 --set-file f=values.yaml -f ci/other-values.yaml --namespace NAMESPACE --skip-tests --kubeconfig KUBECONFIG',
      ],
      [1, '--kube-context CONTEXT get all --namespace NAMESPACE app --kubeconfig KUBECONFIG'],
      [
        0,
        '--kube-context CONTEXT install app WEB --namespace NAMESPACE --create-namespace --set v=2 -f ci/other-values.yaml --wait --post-renderer render-123 --kubeconfig KUBECONFIG',
      ],
      [
        0,
        '--kube-context CONTEXT get all --namespace NAMESPACE app --template {{.Release.Manifest}} --kubeconfig KUBECONFIG',
      ],
      [
        0,
        '--kube-context CONTEXT package WEB --destination OUT --version 0.3.0 --app-version 8 --kubeconfig KUBECONFIG',
      ],
      [
        0,
        '--kube-context CONTEXT upgrade app OUT/web-0.3.0.tgz --namespace NAMESPACE --set image=web:2 --wait --post-renderer render-123 --kubeconfig KUBECONFIG',
      ],
      [0, '--kube-context CONTEXT get manifest app --namespace NAMESPACE --kubeconfig KUBECONFIG'],
      [0, '--kube-context CONTEXT delete app --namespace NAMESPACE --kubeconfig KUBECONFIG'],
      [1, '--kube-context CONTEXT delete app --namespace NAMESPACE --kubeconfig KUBECONFIG'],
      [0, 'plugin uninstall render-123'],
    ],
    env,
  );
});

describe("Ansible's modules, as of every tool that keeps releases as they are declared", () => {
  const env: EnvironmentOf = (which) => ({ HELM_NAMESPACE: namesOf(which)['NAMESPACE'] as string });
  each(
    [
      [0, 'repo add web REPOSITORY --username=jo --password=secret --pass-credentials --force-update'],
      [0, 'repo list --output=yaml'],
      [0, 'repo update'],
      [0, 'dependency update WEB'],
      [0, 'show chart WEB'],
      [0, 'list --output=yaml --filter app --deployed'],
      [
        0,
        'upgrade -i --reset-values --wait --timeout 60s --rollback-on-failure --create-namespace --values=ci/other-values.yaml -f=values.yaml --history-max=3 --set image=web:3 app WEB',
      ],
      [0, 'list --output=yaml --filter app --deployed'],
      [0, 'get values --output=yaml app'],
      [0, 'get values --output=yaml app -a'],
      [0, 'get manifest app'],
      [0, 'get notes app'],
      [0, 'get hooks app'],
      [0, 'history app --output=yaml'],
      [0, 'upgrade -i --reuse-values=True --take-ownership --skip-crds --skip-schema-validation app WEB'],
      [0, 'upgrade -i --reset-then-reuse-values --server-side=true --force-conflicts --no-hooks app WEB'],
      [0, 'upgrade -i --reset-values --server-side=false --force-replace app WEB'],
      [0, 'list --output=yaml --failed --pending --superseded --uninstalled --uninstalling --filter app'],
      [0, 'template app WEB --no-hooks -s templates/map.yaml -f=values.yaml -n other --include-crds'],
      [0, 'uninstall --keep-history --wait --timeout 60s app'],
      [0, 'list --output=yaml --uninstalled --filter app'],
      [0, 'install --replace app WEB'],
      [0, 'uninstall --no-hooks app'],
      [0, 'repo rm web'],
    ],
    env,
  );
  test('the version, and the plugin that it compares with, are found in what is printed', async () => {
    const { stdout } = await sides.call(sides.helm('tshelm'), ['version'], 'tshelm');
    expect(stdout).toMatch(/^version.BuildInfo\{Version:"v4\.\d+\.\d+",/);
    const list = await sides.call(sides.helm('tshelm'), ['plugin', 'list'], 'tshelm');
    const [header = '', ...rows] = list.stdout.split('\n').map((line) => line.split('\t').map((cell) => cell.trim()));
    const diff = rows.find(([name]) => name === 'diff');
    expect(diff?.[header.indexOf('VERSION')]).toMatch(/^3\.(1[4-9]|[2-9]\d)\.\d+$/);
  });
});

describe('what stands in pipelines', () => {
  each([
    [0, 'upgrade --install app . --atomic --wait -n NAMESPACE --reset-values --history-max 5 --create-namespace'],
    [0, 'status app -n NAMESPACE -o json'],
    [0, 'list -n NAMESPACE --filter ^app$ -o json'],
    [0, 'list -n NAMESPACE -q'],
    [0, 'history app -n NAMESPACE --max 1 -o json'],
    [0, 'get values app -n NAMESPACE -a -o json'],
    [0, 'get metadata app -n NAMESPACE -o json'],
    [0, 'test app -n NAMESPACE'],
    [0, 'upgrade app . -n NAMESPACE --set v=5 --dry-run=server'],
    [0, 'rollback app 1 -n NAMESPACE --cleanup-on-fail'],
    [0, 'uninstall app -n NAMESPACE --wait --ignore-not-found'],
    [0, 'uninstall app -n NAMESPACE --ignore-not-found'],
    [1, 'uninstall app -n NAMESPACE'],
    [1, 'upgrade app . -n NAMESPACE'],
    [1, 'status app -n NAMESPACE'],
    [1, 'registry login LOCKED/charts --username jo --password-stdin --ca-file AUTHORITY <secret'],
  ]);
});
