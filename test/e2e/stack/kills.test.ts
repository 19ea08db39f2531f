import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chosen } from '../chaos/campaign.ts';
import type { PassedRequest } from '../chaos/proxy.ts';
import { Stage } from '../chaos/stage.ts';
import { scratchDirectory } from '../support/charts.ts';
import { helm } from '../support/programs.ts';

/** A stack is killed in the midst of its apply; `--resume` ends it, and nothing is lost, nothing is there twice. */
const directory = scratchDirectory();
const levels = 4;
const wide = 3;
let stage: Stage;

const names = Array.from({ length: levels * wide }, (_, index) => `r${index}`);
const needsOf = (index: number): string => {
  const level = Math.floor(index / wide);
  return level === 0 ? '' : `, needs: [r${(level - 1) * wide}, r${(level - 1) * wide + 1}]`;
};

function writeStack(set: string, gone: readonly string[] = []): void {
  const releases = names.map(
    (name, index) =>
      `  - {name: ${name}, chart: ./chart, installed: ${!gone.includes(name)}, values: [{set: ${set}}]${needsOf(index)}}\n`,
  );
  writeFileSync(join(directory, 'helmfile.yaml'), `releases:\n${releases.join('')}`);
}

beforeAll(async () => {
  mkdirSync(join(directory, 'chart/templates'), { recursive: true });
  writeFileSync(join(directory, 'chart/Chart.yaml'), 'apiVersion: v2\nname: chart\nversion: 0.1.0\n');
  const object = (name: string): string =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "{{ .Release.Name }}-${name}"}\ndata: {set: {{ .Values.set | quote }}}\n`;
  const hook =
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "{{ .Release.Name }}-hook", annotations: {helm.sh/hook: "pre-install,pre-upgrade"}}\n';
  writeFileSync(join(directory, 'chart/templates/all.yaml'), [object('a'), object('b'), hook].join('---\n'));
  stage = await Stage.open(directory, 'stack');
});
afterAll(() => stage.close());

const words = (...more: string[]): string[] => ['stack', 'apply', '-f', join(directory, 'helmfile.yaml'), ...more];

/** What speaks against each release being there once, with this set. */
async function problems(set: string, gone: readonly string[] = []): Promise<readonly string[]> {
  const there = names.filter((name) => !gone.includes(name));
  const status = await stage.run(['stack', 'status', '-f', join(directory, 'helmfile.yaml')]);
  const lines = status.stdout.split('\n').filter((line) => /^\S+\/r\d+ /.test(line));
  const wrong = lines.filter((line) => !/ yes +deployed | no +not installed/.test(line));
  const listed = await helm.run(['list', '-q', '-n', stage.namespace]);
  const deployed = listed.stdout.trim().split('\n').sort().join();
  const manifests = await Promise.all(there.map((name) => stage.run(['drift', name, '--exit-code'])));
  const values = await Promise.all(there.map((name) => stage.run(['get', 'values', name])));
  return [
    ...(status.code === 0 && lines.length === names.length ? [] : [`status: ${status.stderr}${status.stdout}`]),
    ...wrong,
    ...(deployed === [...there].sort().join() ? [] : [`helm lists ${deployed}`]),
    ...manifests.flatMap(({ code, stdout }) => (code === 0 ? [] : [stdout])),
    ...values.flatMap(({ stdout }, index) => (stdout.includes(`set: ${set}`) ? [] : [`${there[index]}: ${stdout}`])),
  ];
}

let kills = 0;

/** Kills an apply at its nth request, and ends it with --resume. */
async function killed(at: number, isLost: boolean): Promise<readonly string[]> {
  let kill = (): void => undefined;
  stage.proxy.begin(({ number }: PassedRequest) =>
    number === at ? { kind: 'run', task: () => kill(), isLost } : undefined,
  );
  const run = stage.start(words());
  kill = run.kill;
  const { signal, code, stderr } = await run.ended;
  kills += signal === 'SIGKILL' ? 1 : 0;
  if (signal !== 'SIGKILL') return code === 0 ? [] : [`it ended with ${code}: ${stderr}`];
  const resumed = await stage.run(words('--resume'));
  return resumed.code === 0 ? [] : [`--resume: ${resumed.stderr}`];
}

/** How many requests the whole of a run makes. */
async function requestsOf(): Promise<number> {
  stage.proxy.begin(() => undefined);
  const { code, stderr } = await stage.start(words()).ended;
  expect({ code, stderr }).toMatchObject({ code: 0 });
  return stage.proxy.seen.length;
}

test('an apply that is killed at any of 50 requests is ended by --resume', { timeout: 1_800_000 }, async () => {
  writeStack('first');
  const count = await requestsOf();
  expect(await problems('first')).toEqual([]);
  const points = Array.from({ length: 50 }, (_, index) => Math.ceil(((index + 1) * count) / 51));
  const failures: string[] = [];
  const tried = chosen(points, 6);
  for (const [index, at] of tried.entries()) {
    // Every other run changes all releases; those between take some away and bring them back.
    const gone = index % 3 === 2 ? ['r10', 'r11'] : [];
    const set = `set${index}`;
    writeStack(set, gone);
    const found = [...(await killed(at, index % 2 === 0)), ...(await problems(set, gone))];
    failures.push(...found.map((text) => `killed at ${at} of ${count}: ${text}`));
  }
  expect(failures).toEqual([]);
  console.log(`stack: killed ${kills} times at ${tried.length} points of ${count} requests`);
  expect(kills).toBeGreaterThan(tried.length / 2);
});
