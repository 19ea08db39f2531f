import { describe, expect, test } from 'vitest';
import { hasObject, parseManifests } from '../../src/manifest/parse.ts';
import type { KubernetesObject } from '../../src/manifest/types.ts';
import { configMap, documents, hook, scratchDirectory, workload, writeChart } from './support/charts.ts';
import { adminOf } from './support/namespaces.ts';
import { helm, helm3, ok, type Program, tshelm } from './support/programs.ts';

const directory = scratchDirectory();
const admin = adminOf('matrix');
const { namespace } = admin;

// `extra` is an object that comes and goes with the values; `tag` changes one; `broken` cannot be applied.
const chart = writeChart(directory, 'matrix', {
  'values.yaml': 'tag: "1"\nextra: false\nbroken: false\n',
  'templates/all.yaml': documents(
    configMap('settings', '{{ .Values.tag | quote }}'),
    workload('Deployment', 'web'),
    '{{ if .Values.extra }}\n',
    configMap('extra', '{{ .Values.extra | quote }}'),
    '{{ end }}{{ if .Values.broken }}\n',
    'apiVersion: v1\nkind: Service\nmetadata:\n  name: {{ .Release.Name }}-broken\nspec:\n  ports: [{port: 99999999}]\n',
    '{{ end }}\n',
  ),
  'templates/hooks.yaml': configMap(
    'hook',
    '{{ .Values.tag | quote }}',
    hook('post-install,post-upgrade,post-rollback'),
  ),
  'templates/NOTES.txt': 'tag {{ .Values.tag }}\n',
});

type Method = 'server-side' | 'client-side';

/** One thing done to the release; `fails` where it has to. */
interface Step {
  readonly does: string;
  readonly words: readonly string[];
  readonly fails?: boolean;
  /** Helm 3 does not know this flag, or does it otherwise. */
  readonly helm3Words?: readonly string[];
  /** Nothing of the release is left, not even its history. */
  readonly gone?: boolean;
}

const set = (...values: string[]): string[] => values.flatMap((value) => ['--set', value]);
const install = (...more: string[]): Step => ({ does: 'install', words: ['install', 'NAME', chart, ...more] });
const upgrade = (...more: string[]): Step => ({ does: 'upgrade', words: ['upgrade', 'NAME', chart, ...more] });
const rollback = (...more: string[]): Step => ({ does: 'rollback', words: ['rollback', 'NAME', ...more] });
const uninstall = (...more: string[]): Step => ({
  does: 'uninstall',
  words: ['uninstall', 'NAME', ...more],
  gone: !more.includes('--keep-history'),
});
const failing = (step: Step): Step => ({ ...step, does: `failing ${step.does}`, fails: true });

/** What the first program does, then what the second does; and the round that both do in turns. */
interface Scenario {
  readonly title: string;
  readonly first: readonly Step[];
  readonly second: readonly Step[];
  readonly round: (number: number) => readonly Step[];
}

const tag = (number: number): string => `tag=v${number}`;

const scenarios: readonly Scenario[] = [
  { title: 'install', first: [install()], second: [uninstall(), install()], round: () => [uninstall(), install()] },
  {
    title: 'upgrade',
    first: [install()],
    second: [upgrade(...set('tag=2', 'extra=yes')), upgrade('--reuse-values', ...set('tag=3'))],
    round: (number) => [upgrade(...set(tag(number), `extra=${number % 2 === 0 ? 'yes' : ''}`))],
  },
  {
    title: 'rollback',
    first: [install(), upgrade(...set('tag=2', 'extra=yes'))],
    second: [rollback('1'), rollback()],
    round: () => [rollback()],
  },
  {
    title: 'uninstall',
    first: [install(), upgrade(...set('tag=2'))],
    second: [uninstall('--keep-history'), uninstall()],
    round: (number) => [...(number > 0 ? [install()] : []), uninstall()],
  },
  {
    title: 'failed upgrade',
    first: [install()],
    second: [failing(upgrade(...set('tag=2', 'broken=true'))), upgrade(...set('tag=3'))],
    round: (number) => [
      number % 2 === 0 ? failing(upgrade(...set(tag(number), 'broken=true'))) : upgrade(...set(tag(number))),
    ],
  },
  {
    title: 'history pruning',
    first: [install(), upgrade('--history-max', '2', ...set('tag=2'))],
    second: [upgrade('--history-max', '2', ...set('tag=3')), rollback('--history-max', '2')],
    round: (number) => [upgrade('--history-max', '3', ...set(tag(number)))],
  },
  {
    title: 'adoption',
    first: [{ does: 'orphans', words: ['adopt', 'NAME'] }, install()],
    second: [upgrade(...set('tag=2'))],
    round: (number) => [upgrade(...set(tag(number)))],
  },
  {
    title: 'keep-history reinstall',
    first: [install(), uninstall('--keep-history')],
    second: [install('--replace', ...set('tag=2')), upgrade(...set('tag=3'))],
    round: () => [install('--replace'), uninstall('--keep-history')],
  },
];

interface Move {
  readonly by: Program;
  readonly step: Step;
}

type Order = 'tshelm first' | 'tshelm second' | 'in turns';

function moves({ first, second, round }: Scenario, order: Order, partner: Program): readonly Move[] {
  const [a, b] = order === 'tshelm second' ? [partner, tshelm] : [tshelm, partner];
  const begin = first.map((step) => ({ by: a, step }));
  if (order !== 'in turns') return [...begin, ...second.map((step) => ({ by: b, step }))];
  const rounds = [0, 1, 2, 3, 4].flatMap(round);
  return [...begin, ...rounds.map((step, index) => ({ by: index % 2 === 0 ? b : a, step }))];
}

function wordsFor({ by, step }: Move, name: string, method: Method): string[] {
  const words = step.words.map((word) => (word === 'NAME' ? name : word));
  const isDeploy = ['install', 'upgrade', 'rollback'].includes(words[0] ?? '');
  const serverSide = isDeploy && by.name !== 'helm3' ? [`--server-side=${method === 'server-side'}`] : [];
  // What Helm 3 owns, server-side apply has to take from it: Helm 4 does so too, with the same flag or without.
  return [...words, ...serverSide, '-n', namespace];
}

/** Everything both programs must agree on. */
const readings = (name: string, partner: Program): string[][] => [
  ['list', '-o', 'json', '--filter', `^${name}$`, ...(partner.name === 'helm3' ? ['--all'] : [])],
  ['history', name, '-o', 'json'],
  ['get', 'manifest', name],
  ['get', 'values', name, '-o', 'json'],
  ['get', 'hooks', name],
];

async function agree(name: string, partner: Program, where: string): Promise<void> {
  const inNamespace = ['-n', namespace];
  const statusOf = async (program: Program): Promise<unknown> => {
    const { info, version, manifest, config } = JSON.parse(
      await ok(program, ['status', name, '-o', 'json', ...inNamespace]),
    ) as Record<string, Record<string, unknown>>;
    const { deleted, resources: _live, rollback_revision, ...rest } = info ?? {};
    // Helm 3 writes a time that is not there as an empty text, and knows no rollback_revision.
    const rolledBackTo = partner.name === 'helm3' ? undefined : rollback_revision;
    return { ...rest, deleted: deleted || undefined, rolledBackTo, version, manifest, config };
  };
  const both = async (read: (program: Program) => Promise<unknown>, what: string): Promise<void> => {
    const [ours, theirs] = await Promise.all([tshelm, partner].map(read));
    expect(ours, `${where}: ${what}`).toEqual(theirs);
  };
  await Promise.all([
    ...readings(name, partner).map((words) =>
      both(
        async (program) => common(partner, await ok(program, [...wordsOf(program, words), ...inNamespace])),
        words.join(' '),
      ),
    ),
    both(statusOf, 'status'),
  ]);
}

const common = (partner: Program, text: string): string =>
  partner.name === 'helm3' ? text.replace(/"rollback_revision":\d+,/g, '') : text;

// Helm 4 lists every state unless told otherwise; --all was Helm 3's flag.
const wordsOf = (program: Program, words: readonly string[]): readonly string[] =>
  program.name === 'helm3' ? words : words.filter((word) => word !== '--all');

/** The live objects that belong to the release are those of its manifest, and hold what the manifest says. */
async function livesAsRecorded(name: string, where: string): Promise<void> {
  const text = await ok(tshelm, ['get', 'manifest', name, '-n', namespace]);
  const recorded = parseManifests(text).filter(hasObject);
  const wanted = recorded.map(({ object }) => `${object.kind}/${object.metadata.name}`);
  const live = await liveObjects(name);
  expect([...live.keys()].sort(), where).toEqual(wanted.sort());
  for (const { object } of recorded) {
    const key = `${object.kind}/${object.metadata.name}`;
    expect(live.get(key), `${where}: ${key}`).toMatchObject(
      object.kind === 'ConfigMap'
        ? { data: object['data'] }
        : { spec: { template: { spec: { containers: imageOf(object) } } } },
    );
  }
}

const imageOf = (object: KubernetesObject): unknown =>
  (object['spec'] as { template: { spec: { containers: unknown } } }).template.spec.containers;

async function liveObjects(name: string): Promise<Map<string, object>> {
  const kinds = [
    ['v1', 'ConfigMap'],
    ['v1', 'Service'],
    ['apps/v1', 'Deployment'],
  ] as const;
  const lists = await Promise.all(
    kinds.map(([apiVersion, kind]) => admin.cluster().list(apiVersion, kind, { namespace })),
  );
  const own = lists.flat().filter(({ metadata }) => metadata.annotations?.['meta.helm.sh/release-name'] === name);
  return new Map(own.map((object) => [`${object.kind}/${object.metadata.name}`, object]));
}

/** The revisions that there are, oldest first, with their states. */
async function revisions(name: string): Promise<string[]> {
  const history = JSON.parse(await ok(tshelm, ['history', name, '-o', 'json', '-n', namespace])) as {
    revision: number;
    status: string;
    description: string;
  }[];
  return history.map(
    ({ revision, status, description }) => `${revision} ${status}: ${description.replaceAll(name, 'NAME')}`,
  );
}

/** Objects of the release that are there before it, as an earlier one left them. */
async function leaveOrphans(name: string): Promise<void> {
  await admin.cluster().create(
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {
        name: `${name}-settings`,
        namespace,
        labels: { 'app.kubernetes.io/managed-by': 'Helm' },
        annotations: { 'meta.helm.sh/release-name': name, 'meta.helm.sh/release-namespace': namespace },
      },
      data: { value: 'old' },
    },
    { fieldManager: 'helm' },
  );
}

async function play(name: string, list: readonly Move[], method: Method, check?: Program): Promise<string[][]> {
  const seen: string[][] = [];
  for (const [index, move] of list.entries()) {
    const where = `${index + 1}. ${move.step.does} by ${move.by.name}`;
    if (move.step.words[0] === 'adopt') {
      await leaveOrphans(name);
      continue;
    }
    const words = wordsFor(move, name, method);
    const ran = await move.by.run(words);
    expect(ran.code, `${where}: ${words.join(' ')}\n${ran.stderr}`).toBe(move.step.fails ? 1 : 0);
    if (move.step.gone) {
      expect(await admin.records(name), where).toEqual([]);
      expect([...(await liveObjects(name)).keys()], where).toEqual([]);
      seen.push([]);
      continue;
    }
    if (check !== undefined) await agree(name, check, where);
    if (check !== undefined && move.step.does !== 'uninstall' && !move.step.fails) await livesAsRecorded(name, where);
    seen.push(await revisions(name));
  }
  return seen;
}

// Helm 3 and 4 word the same refusal differently.
const withoutReasons = (history: readonly string[]): string[] =>
  history.map((revision) => revision.replace(/ failed: .*? is invalid: /, ' failed: … is invalid: '));

const methods: readonly Method[] = ['server-side', 'client-side'];
const orders: readonly Order[] = ['tshelm first', 'tshelm second', 'in turns'];
const partners: readonly Program[] = [helm, helm3];
const slug = (text: string): string => text.replaceAll(' ', '-');

describe.concurrent.each(methods)('%s', (method) => {
  describe.each(scenarios)('$title', (scenario) => {
    // The same moves with Helm alone say what the history has to be.
    const expectations = new Map<Order, Promise<string[][]>>();
    const expected = (order: Order): Promise<string[][]> => {
      const shape = order === 'in turns' ? order : 'tshelm first';
      const known = expectations.get(shape);
      if (known !== undefined) return known;
      const name = `h-${slug(scenario.title)}-${slug(shape)}-${method.slice(0, 1)}`;
      const played = play(
        name,
        moves(scenario, shape, helm).map(({ step }) => ({ by: helm, step })),
        method,
      );
      expectations.set(shape, played);
      return played;
    };

    test.each(partners.flatMap((partner) => orders.map((order) => [partner.name, order, partner] as const)))(
      'with %s, %s',
      { timeout: 120_000 },
      async (_name, order, partner) => {
        const name = `${slug(scenario.title)}-${slug(order)}-${partner.name}-${method.slice(0, 1)}`;
        const seen = await play(name, moves(scenario, order, partner), method, partner);
        expect(seen.map(withoutReasons)).toEqual((await expected(order)).map(withoutReasons));
      },
    );
  });
});
