import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FaultProxy } from './chaos/proxy.ts';
import { auditOf, type Write } from './support/audit.ts';
import { configMap, documents, scratchDirectory, workload, writeChart } from './support/charts.ts';
import { adminOf } from './support/namespaces.ts';
import { helm, ok, type Ran, tshelmProcess } from './support/programs.ts';

const directory = scratchDirectory();
const admin = adminOf('takeover');
const audit = auditOf(admin);
const here = ['-n', admin.namespace, '--timeout', '60s'];

const chart = writeChart(directory, 'app', {
  'templates/all.yaml': documents(
    configMap('one', '{{ .Values.k | default "1" | quote }}'),
    workload('Deployment', 'app', { readyAfter: '{{ .Values.readyAfter | default `0s` }}' }),
  ),
});

let proxy: FaultProxy;
const proxied = { KUBECONFIG: join(directory, 'proxied') };
beforeAll(async () => {
  proxy = await FaultProxy.open(process.env['KUBECONFIG'] ?? '');
  writeFileSync(proxied.KUBECONFIG, proxy.kubeconfig);
});
afterAll(() => proxy.close());

/** The environment of a process whose clock differs from this machine's. */
function withClock(aheadMs: number): Readonly<Record<string, string>> {
  const file = join(directory, `clock${aheadMs}.mjs`);
  writeFileSync(
    file,
    `const { now } = Date;
    globalThis.Date = class extends Date {
      constructor(...parts) { super(...(parts.length === 0 ? [now() + ${aheadMs}] : parts)); }
      static now() { return now() + ${aheadMs}; }
    };`,
  );
  return { NODE_OPTIONS: `--import=${file}` };
}
const hourMs = 3_600_000;

const statuses = async (name: string): Promise<string[]> => {
  const history = await ok(helm, ['history', name, '-o', 'json', '-n', admin.namespace]);
  return (JSON.parse(history) as { revision: number; status: string }[]).map(
    ({ revision, status }) => `${revision} ${status}`,
  );
};
const valueOf = async (name: string): Promise<unknown> =>
  ((await admin.object('v1', 'ConfigMap', `${name}-one`))?.['data'] as { value?: string } | undefined)?.value;

/**
 * Everything that the proxy's client sends is answered with 503, from the first request that `begins` the outage. As with
 * one balancer of three, its end comes to one request before the other: to the heartbeats last.
 */
function outage(begins: (method: string, path: string) => boolean) {
  let isAway = false;
  let isOver = (_path: string): boolean => false;
  proxy.begin(({ method, path }) => {
    isAway ||= begins(method, path);
    return isAway && !isOver(path) ? { kind: 'answer', status: 503 } : undefined;
  });
  return {
    hasBegun: async (): Promise<void> => {
      while (!isAway) await delay(20);
    },
    end: async (): Promise<void> => {
      isOver = (path) => !path.includes('/leases/');
      await delay(7_000);
      isOver = () => true;
    },
  };
}

const changes = async (): Promise<readonly string[]> =>
  (
    await audit.writes(
      ({ userAgent, isNamespaced, code }: Write) => userAgent === 'tshelm' && isNamespaced && code < 300,
    )
  ).map(({ verb, object }) => `${verb} ${object}`);

describe.each([
  ['while it sends an object', 'PATCH', '/configmaps/'],
  ['while it writes its record', 'PUT', '/secrets/'],
])('a run whose way to the API server answers 503 %s, until another run has taken over', (_when, verb, part) => {
  const name = verb.toLowerCase();

  test('writes nothing any more, and says so', async () => {
    await ok(tshelmProcess, ['install', name, chart, ...here]);
    const { hasBegun, end } = outage((method, path) => method === verb && path.includes(part));
    const first = tshelmProcess.run(['upgrade', name, chart, '--set', 'k=first', ...here], { env: proxied });
    await hasBegun();
    const second = await tshelmProcess.run([
      'upgrade',
      name,
      chart,
      '--set',
      'k=second',
      '--wait-lock',
      '50s',
      ...here,
    ]);
    expect(second.code, second.stderr).toBe(0);
    audit.begin();
    await end();
    const { code, stderr }: Ran = await first;
    expect(await changes()).toEqual([]);
    expect(code, stderr).toBe(1);
    // On a busy machine the other run may take so long that this one does not wait for the server any more.
    expect(stderr).toMatch(/this run lost its lock on release|the lock on release "\w+" could not be renewed for 60 s/);
    expect(await valueOf(name)).toBe('second');
    expect(await statuses(name)).toEqual(['1 superseded', '2 failed', '3 deployed']);
  });
});

test('whoever may not renew a Lease is kept from being taken over by the record', async () => {
  const rules = [
    { apiGroups: ['', 'apps'], resources: ['*'], verbs: ['*'] },
    { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['get', 'create', 'delete'] },
  ];
  await admin.grant('no-renewal', rules);
  await ok(tshelmProcess, ['install', 'shy', chart, ...here]);
  const first = tshelmProcess.run([
    'upgrade',
    'shy',
    chart,
    '--wait',
    '--set',
    'k=first,tag=2,readyAfter=30s',
    '--kube-as-user',
    'no-renewal',
    ...here,
  ]);
  await delay(8_000);
  const second = await tshelmProcess.run(['upgrade', 'shy', chart, '--set', 'k=second', '--wait-lock', '15s', ...here]);
  expect(second.code, second.stderr).toBe(1);
  expect(second.stderr).toContain(
    'another operation (install/upgrade/rollback) is in progress: revision 2 has been pending-upgrade',
  );
  const { code, stderr } = await first;
  expect(code, stderr).toBe(0);
  expect(stderr).toMatch(/only the pending record locks the release, because Leases cannot be used: .*cannot update/);
  expect(await valueOf('shy')).toBe('first');
  expect(await statuses('shy')).toEqual(['1 superseded', '2 deployed']);
});

describe.each([
  ['a Lease', 'leased', ['*']],
  ['the record alone', 'recorded', ['get']],
])('a run that lives and is locked by %s', (_what, name, leaseVerbs) => {
  test('is left alone by one whose clock is an hour ahead, and by one of the right time if it is an hour behind', async () => {
    await admin.grant(name, [
      { apiGroups: ['', 'apps'], resources: ['*'], verbs: ['*'] },
      { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: leaseVerbs },
    ]);
    const asUser = ['--kube-as-user', name, ...here];
    await ok(tshelmProcess, ['install', name, chart, ...asUser]);
    const first = tshelmProcess.run(
      ['upgrade', name, chart, '--wait', '--set', 'k=first,tag=2,readyAfter=25s', ...asUser],
      { env: withClock(-hourMs) },
    );
    while ((await admin.names('v1', 'Secret', `name=${name},status=pending-upgrade`)).length === 0) await delay(50);
    const others = [{}, withClock(hourMs)].map((env) =>
      tshelmProcess.run(['upgrade', name, chart, '--set', 'k=second', ...asUser], { env }),
    );
    for (const { code, stderr } of await Promise.all(others)) {
      expect(code, stderr).toBe(1);
      expect(stderr).toContain('another operation (install/upgrade/rollback) is in progress');
    }
    const { code, stderr } = await first;
    expect(code, stderr).toBe(0);
    expect(await valueOf(name)).toBe('first');
    expect(await statuses(name)).toEqual(['1 superseded', '2 deployed']);
  });
});
