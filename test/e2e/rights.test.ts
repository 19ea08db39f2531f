import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Finding } from '../../src/actions/doctor/finding.ts';
import { parseManifest } from '../../src/manifest/parse.ts';
import { configMap, documents, hook, job, scratchDirectory, workload, writeChart } from './support/charts.ts';
import { adminOf, type Rule } from './support/namespaces.ts';
import { helm, type Program, tshelm, tshelmProcess } from './support/programs.ts';

const directory = scratchDirectory();
const admin = adminOf('rights');
const here = ['-n', admin.namespace, '--timeout', '60s'];

const chart = writeChart(directory, 'app', {
  'templates/all.yaml': documents(
    configMap('one', '{{ .Values.k | default "1" | quote }}'),
    workload('Deployment', 'app'),
    job('migrate', { annotations: hook('pre-install,pre-upgrade') }),
    job('check', { annotations: hook('test') }),
  ),
});

const page = readFileSync('docs/recovery.md', 'utf8');
const [, role = ''] = /^## The smallest Role$[^]*?^```yaml\n([^]*?)^```/m.exec(page) ?? [];
const documented = parseManifest(role, 'docs/recovery.md').object['rules'] as readonly Rule[];
const isOfLeases = ({ resources }: Rule): boolean => resources.includes('leases');
const smallest = documented.filter((rule) => !isOfLeases(rule));
const leases = (...verbs: string[]): readonly Rule[] =>
  documented.filter(isOfLeases).map((rule) => ({ ...rule, verbs }));

/** Every change of a release, and every question about it. */
async function wholeLife(user: string): Promise<string> {
  const lines = [
    ['install', user, chart],
    ['upgrade', user, chart, '--wait', '--set', 'k=2'],
    ['upgrade', user, chart, '--wait=ordered', '--set', 'k=3'],
    ['rollback', user, '1', '--wait'],
    ['test', user],
    ['status', user],
    ['history', user],
    ['get', 'all', user],
    ['list'],
    ['uninstall', user, '--wait'],
  ];
  let told = '';
  for (const words of lines) {
    const options = ['history', 'get', 'list', 'status'].includes(words[0] ?? '') ? ['-n', admin.namespace] : here;
    const { code, stderr } = await tshelmProcess.run([...words, ...options, '--kube-as-user', user]);
    expect(code, `${words.join(' ')}\n${stderr}`).toBe(0);
    told += stderr;
  }
  return told;
}

describe('the smallest Role', () => {
  test.each([
    ['all', documented.filter(isOfLeases), false],
    ['none', [], true],
    ['no-delete', leases('get', 'create', 'update'), false],
    ['no-update', leases('get', 'create', 'delete'), false],
    ['create-get', leases('get', 'create'), true],
    ['create-alone', leases('create'), true],
    ['get-update', leases('get', 'update'), true],
  ])('with the rights to Leases %s does everything', async (name, rights, isWarned) => {
    const user = `r-${name}`;
    await admin.grant(user, [...smallest, ...rights]);
    const told = await wholeLife(user);
    expect(told.includes('only the pending record locks the release')).toBe(isWarned);
  });
});

describe('doctor', () => {
  const doctor = (user: string, ...words: readonly string[]) =>
    tshelmProcess.run(['doctor', chart, '-n', admin.namespace, '--kube-as-user', user, ...words]);

  test('prints a Role with which everything works and nothing is missing', async () => {
    const { stdout } = await tshelmProcess.run(['doctor', chart, '-n', admin.namespace, '--role']);
    await admin.grant('r-doctor', parseManifest(stdout, 'role').object['rules'] as readonly Rule[]);
    const { code, stdout: text } = await doctor('r-doctor');
    expect(text).toContain(`all that deploys need in namespace ${admin.namespace}\n`);
    expect(text).toContain(', as r-doctor\n');
    expect(code).toBe(0);
    await wholeLife('r-doctor');
  });

  test('names the rights that are missing, and what for', async () => {
    const rights = async (user: string): Promise<readonly Finding[]> => {
      const { stdout } = await doctor(user, '-o', 'json');
      return (JSON.parse(stdout) as Finding[]).filter(({ area }) => area === 'rights');
    };
    await admin.grant('r-patient', smallest);
    const [locks, ...others] = await rights('r-patient');
    expect(locks).toMatchObject({
      level: 'warning',
      text: 'missing for locks: get, create, update, delete leases.coordination.k8s.io; without them, only the pending record keeps two runs apart',
    });
    expect(others.map(({ level }) => level)).toEqual(['note', 'note']);
    expect((await doctor('r-patient')).code).toBe(0);
    expect((await rights('r-nobody'))[0]).toMatchObject({
      level: 'error',
      text: 'missing for the records of releases: get, list, create, update, delete secrets',
    });
    expect((await doctor('r-nobody')).code).toBe(1);
  });
});

/** One permission after another is taken from a robot that has all of these; Helm is asked too. */
describe('without one permission', () => {
  const all = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'];
  const generous: readonly Rule[] = [
    { apiGroups: [''], resources: ['secrets'], verbs: all },
    { apiGroups: [''], resources: ['configmaps'], verbs: all },
    { apiGroups: ['apps'], resources: ['deployments'], verbs: all },
    { apiGroups: ['batch'], resources: ['jobs'], verbs: all },
    { apiGroups: [''], resources: ['pods'], verbs: ['get', 'list', 'watch'] },
    { apiGroups: [''], resources: ['events'], verbs: ['list', 'watch'] },
    { apiGroups: [''], resources: ['pods/log'], verbs: ['get'] },
    { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['get', 'create', 'update', 'delete'] },
  ];
  const cases = generous.flatMap((rule) =>
    rule.verbs.map((verb) => ({ rule, verb, what: `${verb} ${rule.resources[0]}` })),
  );

  interface Act {
    readonly words: (release: string) => readonly string[];
    /** What an administrator does where the robot could not. */
    readonly repair: (release: string) => readonly string[];
  }
  const changed = (words: readonly string[]) => [...words, '--timeout', '20s'];
  const acts: Readonly<Record<string, Act>> = {
    install: {
      words: (release) => changed(['install', release, chart]),
      repair: (release) => changed(['upgrade', '--install', release, chart]),
    },
    upgrade: {
      words: (release) => changed(['upgrade', release, chart, '--set', 'k=2,tag=2']),
      repair: (release) => changed(['upgrade', release, chart, '--set', 'k=2,tag=2']),
    },
    rollback: {
      words: (release) => changed(['rollback', release]),
      repair: (release) => changed(['upgrade', release, chart, '--set', 'k=3,tag=3']),
    },
    test: { words: (release) => ['test', release, '--timeout', '20s'], repair: () => ['list'] },
    status: { words: (release) => ['status', release], repair: () => ['list'] },
    history: { words: (release) => ['history', release], repair: () => ['list'] },
    list: { words: () => ['list'], repair: () => ['list'] },
    uninstall: {
      words: (release) => changed(['uninstall', release]),
      repair: (release) => ['uninstall', release, '--ignore-not-found'],
    },
  };

  /** What Helm gets to its end, and tshelm need not. */
  const stricter: Readonly<Record<string, readonly string[]>> = {
    // Helm ends with 0 and leaves the record pending-install for ever.
    'update secrets': ['install'],
  };

  async function outcomesOf(program: Program, user: string): Promise<Readonly<Record<string, string>>> {
    const outcomes: Record<string, string> = {};
    for (const [name, { words, repair }] of Object.entries(acts)) {
      const release = `${program.name}-${user}`;
      const { code, stderr } = await program.run([...words(release), '-n', admin.namespace, '--kube-as-user', user]);
      outcomes[name] = code === 0 ? 'ok' : stderr.trim();
      if (code !== 0) await helm.run([...repair(release), '-n', admin.namespace]);
    }
    return outcomes;
  }

  test.concurrent.each(cases)('$what', async ({ rule, verb, what }) => {
    const user = what.replace(/\W/g, '-');
    const others = rule.verbs.filter((other) => other !== verb);
    const rest = generous.filter((other) => other !== rule);
    await admin.grant(user, [...rest, ...(others.length === 0 ? [] : [{ ...rule, verbs: others }])]);
    const [ours, theirs] = [await outcomesOf(tshelm, user), await outcomesOf(helm, user)];
    const worse = Object.keys(acts).filter((name) => theirs[name] === 'ok' && ours[name] !== 'ok');
    expect(worse.filter((name) => !stricter[what]?.includes(name)).map((name) => ours[name])).toEqual([]);
  });
});
