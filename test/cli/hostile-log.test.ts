import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { hostileSentences as sentences } from '../support/hostile-sentences.ts';

/** As many as a failure tells of one by one, judged or not. */
const together = 5;
const groups = Array.from({ length: sentences.length / together }, (_, at) =>
  sentences.slice(at * together, (at + 1) * together),
);

let folder = '';
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'tshelm-hostile-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const pod = (name: string, log: string, more: string): string =>
  `apiVersion: v1\nkind: Pod\nmetadata:\n  name: ${name}\n  annotations: {${more}sandbox.tshelm.dev/fate: {{ .Values.fate }}, sandbox.tshelm.dev/log: ${JSON.stringify(log)}}\nspec: {restartPolicy: Never, containers: [{name: c, image: i}]}\n`;

/** A chart whose pods, or whose hook, end by the value `fate`, having written these logs. */
function writeChart(home: string, texts: readonly string[]): string {
  const hook = texts.length === 1 ? 'helm.sh/hook: "pre-install,pre-upgrade,pre-rollback", ' : '';
  const pods = texts.map((text, index) => pod(`p${index}-{{ .Values.fate }}`, text, hook));
  mkdirSync(join(home, 'chart/templates'), { recursive: true });
  writeFileSync(join(home, 'chart/Chart.yaml'), 'apiVersion: v2\nname: chart\nversion: 1.0.0\n');
  writeFileSync(join(home, 'chart/templates/pods.yaml'), pods.join('---\n'));
  writeFileSync(
    join(home, 'helmfile.yaml.gotmpl'),
    'releases: [{name: web, namespace: shop, chart: ./chart, wait: true, updateStrategy: reinstallIfForbidden, values: [{fate: {{ env "FATE" }}}]}]\n',
  );
  return join(home, 'chart');
}

interface Ran {
  readonly code: number;
  /** Whether the command was to be run again with a larger stack. */
  readonly isAgain: boolean;
  readonly stderr: string;
  /** What was sent and may change something, sorted: what goes together has no order. */
  readonly sent: readonly string[];
}

async function run(home: string, words: readonly string[], fate: string): Promise<Ran> {
  const ran = { stderr: '', isAgain: false };
  const output = { write: (_text: string) => {}, isTerminal: false, columns: undefined, rows: undefined };
  const io = {
    env: { HOME: '/nonexistent', FATE: fate },
    program: 'tshelm',
    cwd: home,
    stdout: output,
    stderr: { ...output, write: (text: string) => void (ran.stderr += text) },
    readStdin: async () => Buffer.from(''),
    async *stdin() {},
    now: () => new Date(),
  };
  const all = [...words, '--sandbox-dir', join(home, 'sandbox'), '--debug'];
  const rerun = async (): Promise<number> => {
    ran.isAgain = true;
    return 1;
  };
  const code = await main(all, io, { rerun });
  const requests = [...ran.stderr.matchAll(/(?:POST|PUT|PATCH|DELETE) \/\S+ \S+/g)].map(([text]) => text);
  return { ...ran, code, sent: requests.filter((text) => !text.includes('coordination.k8s.io')).sort() };
}

const helm = (verb: string, home: string, fate: string): readonly string[] => [
  ...verb.split(' '),
  'web',
  ...(verb === 'rollback' ? ['1'] : [join(home, 'chart'), '--set', `fate=${fate}`]),
  '--wait',
];
const sync = (home: string): readonly string[] => ['stack', 'sync', '-f', join(home, 'helmfile.yaml.gotmpl')];

/** Command lines with the fate of their pods; the last one is what is looked at. */
const stories: Readonly<Record<string, (home: string) => readonly (readonly [readonly string[], string])[]>> = {
  install: (home) => [[helm('install', home, 'fail'), 'fail']],
  'upgrade --install': (home) => [
    [helm('upgrade --install', home, 'ok'), 'ok'],
    [helm('upgrade --install', home, 'fail'), 'fail'],
  ],
  rollback: (home) => [
    [helm('install', home, 'fail'), 'fail'],
    [helm('upgrade', home, 'ok'), 'ok'],
    [helm('rollback', home, 'fail'), 'fail'],
  ],
  'stack sync': (home) => [
    [sync(home), 'ok'],
    [sync(home), 'fail'],
  ],
};

async function told(story: string, name: string, texts: readonly string[]): Promise<Ran> {
  const home = join(folder, name);
  writeChart(home, texts);
  let last: Ran | undefined;
  for (const [words, fate] of stories[story]?.(home) ?? []) last = await run(home, words, fate);
  return last as Ran;
}

describe.each(Object.keys(stories))('%s: what a pod writes changes no request', (story) => {
  test.each([
    ['pods of the release, five sentences at a time', groups],
    ['a hook, all of them', [[sentences.join('\n')]]],
  ])(
    '%s',
    async (_which, cases) => {
      const quiet = await told(story, 'quiet', cases[0]?.map(() => '') ?? []);
      expect([quiet.code, quiet.isAgain]).toEqual([1, false]);
      for (const [index, texts] of cases.entries()) {
        const hostile = await told(story, `hostile-${index}`, texts);
        // The first failure ends the run: which of the others have failed by then is a matter of moments.
        const said = texts.filter((text) => hostile.stderr.includes(text.slice(0, 60)));
        expect(said).not.toEqual([]);
        expect(hostile.sent).toEqual(quiet.sent);
        expect([hostile.code, hostile.isAgain]).toEqual([1, false]);
      }
    },
    120_000,
  );
});
