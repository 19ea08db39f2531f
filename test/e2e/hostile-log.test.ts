import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hostileSentences } from '../support/hostile-sentences.ts';
import { FaultProxy } from './chaos/proxy.ts';
import { auditOf } from './support/audit.ts';
import { configMap, scratchDirectory, writeChart, writeFiles } from './support/charts.ts';
import { adminOf, namespaceObject } from './support/namespaces.ts';
import { ok, type Ran, tshelm } from './support/programs.ts';

// What programs write (the forty sentences are Helm's, Kubernetes' and tshelm's own) changes nothing that is sent.

const directory = scratchDirectory();
const admin = adminOf('hostile');

/** No kubelet runs here: the proxy answers for it, and passes everything else on to the API server. */
let proxy: FaultProxy;
const env = { KUBECONFIG: join(directory, 'kubeconfig') };
/** By namespace, then by pod. */
const logs = new Map<string, ReadonlyMap<string, string>>();
beforeAll(async () => {
  proxy = await FaultProxy.open(process.env['KUBECONFIG'] ?? '');
  writeFileSync(env.KUBECONFIG, proxy.kubeconfig);
  proxy.begin(({ path }) => {
    const [, namespace = '', pod = ''] = /^\/api\/v1\/namespaces\/([^/]+)\/pods\/([^/]+)\/log$/.exec(path) ?? [];
    return pod === '' ? undefined : { kind: 'answer', status: 200, body: logs.get(namespace)?.get(pod) ?? '' };
  });
});
afterAll(() => proxy.close());

/** As many as a failure names one by one. */
const together = 5;
const groups = Array.from({ length: hostileSentences.length / together }, (_, at) =>
  hostileSentences.slice(at * together, (at + 1) * together),
);

const pod = (name: string, annotations: string): string =>
  `apiVersion: v1\nkind: Pod\nmetadata:\n  name: ${name}-{{ .Values.fate }}\n  annotations: {${annotations}e2e.tshelm.dev/fate: {{ .Values.fate }}}\nspec: {restartPolicy: Never, containers: [{name: c, image: example.com/i:1}]}\n`;
const podNames = Array.from({ length: together }, (_, index) => `p${index}`);
const charts = {
  pods: writeChart(directory, 'pods', { 'templates/all.yaml': podNames.map((name) => pod(name, '')).join('---\n') }),
  hook: writeChart(directory, 'hook', {
    'templates/all.yaml': pod('p0', 'helm.sh/hook: "pre-install,pre-upgrade,pre-rollback", '),
    'templates/settings.yaml': configMap('settings', '{{ .Values.fate }}'),
  }),
};

interface Place {
  readonly namespace: string;
  readonly chart: string;
  readonly stack: string;
}

/** A namespace where the pods have these logs, and events with the same words. */
async function placeOf(name: string, chart: string, texts: readonly string[]): Promise<Place> {
  const namespace = `${admin.namespace}-${name}`;
  const cluster = admin.cluster();
  await cluster.apply(namespaceObject(namespace));
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', namespace, name: 'default' };
  while ((await cluster.get(account)) === undefined) await delay(50);
  logs.set(namespace, new Map(texts.map((text, index) => [`p${index}-fail`, text])));
  for (const [index, text] of texts.entries()) {
    await cluster.apply({
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: `p${index}`, namespace },
      involvedObject: { apiVersion: 'v1', kind: 'Pod', name: `p${index}-fail`, namespace },
      type: 'Warning',
      reason: 'Failed',
      message: text.split('\n')[0] || 'it failed',
    });
  }
  const release = `{name: web, namespace: ${namespace}, chart: ${chart}, wait: true, updateStrategy: reinstallIfForbidden, values: [{fate: {{ env "FATE" }}}]}`;
  const stack = writeFiles(join(directory, name), { 'helmfile.yaml.gotmpl': `releases: [${release}]\n` });
  return { namespace, chart, stack: join(stack, 'helmfile.yaml.gotmpl') };
}

type Line = readonly [words: readonly string[], fate: string];

const helm = ({ namespace, chart }: Place, verb: string, fate: string, more: readonly string[] = []): Line => {
  const what = verb === 'rollback' ? ['1'] : [chart, '--set', `fate=${fate}`];
  return [[...verb.split(' '), 'web', ...what, '-n', namespace, '--wait', ...more], fate];
};
const sync = ({ stack }: Place, fate: string): Line => [['stack', 'sync', '-f', stack], fate];

/** Command lines with the fate of their pods; the last one is what is looked at. */
const stories: Readonly<Record<string, (place: Place) => readonly Line[]>> = {
  install: (place) => [helm(place, 'install', 'fail')],
  upgrade: (place) => [
    helm(place, 'upgrade --install', 'complete'),
    helm(place, 'upgrade --install', 'fail', ['--rollback-on-failure']),
  ],
  rollback: (place) => [
    helm(place, 'install', 'fail'),
    helm(place, 'upgrade', 'complete'),
    helm(place, 'rollback', 'fail'),
  ],
  stack: (place) => [sync(place, 'complete'), sync(place, 'fail')],
};

interface Outcome extends Pick<Ran, 'code' | 'stderr'> {
  /** What was sent and may change something; what goes together has no order. */
  readonly sent: readonly string[];
}

async function outcomeOf(story: string, name: string, chart: string, texts: readonly string[]): Promise<Outcome> {
  const place = await placeOf(`${story}-${name}`, chart, texts);
  const audit = auditOf({ namespace: place.namespace, cluster: admin.cluster });
  const lines = stories[story]?.(place) ?? [];
  let ran: Ran | undefined;
  for (const [words, fate] of lines) {
    audit.begin();
    ran = await tshelm.run(words, { env: { ...env, FATE: fate } });
  }
  const asked = [...(await audit.writes()), ...(await audit.dryRuns())].filter(
    ({ userAgent, isNamespaced, resource }) =>
      userAgent === 'tshelm' && isNamespaced && resource !== 'leases.coordination.k8s.io',
  );
  const sent = asked.map(({ verb, object, code }) => `${verb} ${object} ${code}`).sort();
  const { namespace } = place;
  await admin.cluster().delete({ apiVersion: 'v1', kind: 'Namespace', namespace: '', name: namespace });
  return { code: ran?.code ?? 0, stderr: ran?.stderr ?? '', sent };
}

test.each(Object.keys(stories))('%s: what a pod writes changes no request', async (story) => {
  const outcomes = (chart: string, cases: readonly (readonly string[])[], name: string): Promise<Outcome[]> =>
    Promise.all(cases.map((texts, index) => outcomeOf(story, `${name}${index}`, chart, texts)));
  const [ofPods, ofHooks] = await Promise.all([
    outcomes(charts.pods, [podNames.map(() => ''), ...groups], 'pods'),
    outcomes(charts.hook, [[''], [hostileSentences.join('\n')]], 'hook'),
  ]);
  for (const [quiet, ...hostile] of [ofPods, ofHooks]) {
    expect(quiet?.code).toBe(1);
    expect(quiet?.sent.length).toBeGreaterThan(0);
    for (const { code, sent, stderr } of hostile) {
      expect({ code, sent }).toEqual({ code: quiet?.code, sent: quiet?.sent });
      expect(hostileSentences.some((text) => stderr.includes(text.slice(0, 60)))).toBe(true);
    }
  }
});

test('what a template says as it fails changes no request', async () => {
  const chart = writeChart(directory, 'failing', {
    'templates/a.yaml': `{{ with .Values.text }}{{ fail . }}{{ end }}\n${configMap('settings', '"1"')}`,
  });
  const words = ['web', chart, '-n', admin.namespace];
  await ok(tshelm, ['install', ...words]);
  const audit = auditOf(admin);
  audit.begin();
  // One at a time: each of them holds the release's lock.
  const rans: Ran[] = [];
  for (const text of hostileSentences)
    rans.push(await tshelm.run(['upgrade', '--install', ...words, '--set-literal', `text=${text}`]));
  expect(rans.map(({ code }) => code)).toEqual(hostileSentences.map(() => 1));
  const written = await audit.writes(
    ({ userAgent, resource, isNamespaced }) =>
      userAgent === 'tshelm' && isNamespaced && resource !== 'leases.coordination.k8s.io',
  );
  expect(written).toEqual([]);
});
