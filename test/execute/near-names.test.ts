import { describe, expect, test } from 'vitest';
import type { Finding } from '../../src/cluster/diagnosis/finding.ts';
import { looseEnds, withNearNames } from '../../src/execute/near-names.ts';
import type { PlanObject } from '../../src/execute/plan-objects.ts';

const made = (kind: string, name: string, content: object = {}): PlanObject => ({
  object: { apiVersion: 'v1', kind, metadata: { name }, ...content },
  source: `shop/templates/${kind.toLowerCase()}.yaml`,
});
const finding = (more: Partial<Finding>): Finding => ({
  resource: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' },
  chain: ['Deployment/web', 'Pod/web-1-x'],
  kind: 'pod',
  outlook: 'doubtful',
  reason: 'CrashLoopBackOff',
  log: [],
  previousLog: [],
  events: [],
  ...more,
});

test('of a host unlike all Services those are named that do not lead back to who asks', () => {
  const labels = { app: 'web' };
  const web = made('Deployment', 'web', { spec: { template: { metadata: { labels } } } });
  const own = made('Service', 'web', { spec: { selector: labels, ports: [{ port: 80 }] } });
  const others = ['db', 'cache'].map((name) =>
    made('Service', name, { spec: { selector: { app: name }, ports: [{ port: 1 }] } }),
  );
  const log = ['lookup billing on 10.0.0.10:53: no such host'];
  const hint = (...objects: readonly PlanObject[]) => withNearNames(finding({ log }), objects).hint;
  expect(hint(web, own, ...others)).toBe(
    'the release has no Service billing, only db (1) and cache (1): name one of them',
  );
  expect(hint(web, own, ...others.slice(1))).toBe(
    'the release has no Service billing, only cache (1): did you mean it?',
  );
  expect(hint(web, own)).toBeUndefined();
});

describe('what the release has in place of what is missing', () => {
  const release = [
    made('ConfigMap', 'web-layouts', { data: { 'a.css': '' } }),
    made('Secret', 'web-smtp', { stringData: { password: 'x', user: 'y' } }),
    made('ServiceAccount', 'web-reports'),
    made('PersistentVolumeClaim', 'web-data'),
    made('PriorityClass', 'batch'),
    made('Service', 'web-postgres', { spec: { ports: [{ port: 5432 }] } }),
  ];
  const layouts = 'the release has ConfigMap/web-layouts (shop/templates/configmap.yaml): did you mean it?';
  const service = 'the release has Service/web-postgres (shop/templates/service.yaml): did you mean it?';

  test.each<[string, Partial<Finding>, string | undefined]>([
    ['a name that is much like it', { reason: 'FailedMount: configmap "web-layout" not found' }, layouts],
    ['one of several that are missing', { reason: 'x; also missing: Secret/web-smtp, ConfigMap/web-layout' }, layouts],
    [
      'the only one of its kind',
      { reason: 'error looking up service account shop/reports-runner: serviceaccount "reports-runner" not found' },
      'the release has ServiceAccount/web-reports (shop/templates/serviceaccount.yaml)',
    ],
    ['the only Secret, of another name', { reason: 'secret "grafana-admin" not found' }, undefined],
    [
      'the only Secret, where they share a word',
      { reason: 'secret "smtp-login" not found' },
      'the release has Secret/web-smtp (shop/templates/secret.yaml)',
    ],
    [
      'a claim',
      { reason: 'it does not exist, and the pod mounts it', chain: ['Pod/a', 'PersistentVolumeClaim/web-dta'] },
      'the release has PersistentVolumeClaim/web-data (shop/templates/persistentvolumeclaim.yaml): did you mean it?',
    ],
    [
      'a priority class',
      { reason: 'pods "a" is forbidden: no PriorityClass with name batches was found' },
      'the release has PriorityClass/batch (shop/templates/priorityclass.yaml): did you mean it?',
    ],
    [
      'a key',
      { reason: "CreateContainerConfigError: couldn't find key smtp-password in Secret shop/web-smtp" },
      'Secret/web-smtp (shop/templates/secret.yaml) has the key password: did you mean it?',
    ],
    [
      'a key unlike the others',
      { reason: 'key mode of Secret/web-smtp' },
      'Secret/web-smtp (shop/templates/secret.yaml) has the keys password, user',
    ],
    [
      'a host in a log of Java',
      { previousLog: ['Caused by: java.net.UnknownHostException: web-postgresql'] },
      `no Service web-postgresql, but ${service}`,
    ],
    [
      'a host in a log of Go',
      { log: ['dial tcp: lookup web-postgre.shop.svc on 10.0.0.10:53: no such host'] },
      `no Service web-postgre, but ${service}`,
    ],
    [
      'a host unlike all Services',
      { log: ['lookup billing on 10.0.0.10:53: no such host'] },
      'the release has no Service billing, only web-postgres (5432): did you mean it?',
    ],
    ['a host that a Service has', { log: ['getaddrinfo ENOTFOUND web-postgres'] }, undefined],
    [
      'a host outside the cluster, whose first word is much like a Service',
      { log: ['getaddrinfo ENOTFOUND web-postgre.example.com'] },
      "the cluster's DNS does not know web-postgre.example.com: correct the name, or make it known there",
    ],
    ['what is in the release and not there yet', { reason: 'configmap "web-layouts" not found' }, undefined],
    ['nothing of that kind', { reason: 'persistentvolume "x" not found' }, undefined],
  ])('%s', (_what, more, hint) => {
    expect(withNearNames(finding(more), release).hint).toBe(hint);
  });

  test('comes after what the cluster says', () => {
    const found = finding({ reason: 'configmap "web-layout" not found', hint: 'the largest node has cpu 8' });
    expect(withNearNames(found, release).hint).toBe(`the largest node has cpu 8; ${layouts}`);
  });
});

describe('connections inside the release that lead nowhere', () => {
  const web = made('Deployment', 'web', {
    spec: { template: { metadata: { labels: { app: 'web', tier: 'front' } } } },
  });
  const service = (selector: object) =>
    made('Service', 'web', { spec: { selector, ports: [{ name: 'http', port: 80 }] } });
  const ingress = (name: string, port: object) =>
    made('Ingress', 'web', { spec: { rules: [{ http: { paths: [{ backend: { service: { name, port } } }] } }] } });
  const at = (kind: string) => `${kind}/web (shop/templates/${kind.toLowerCase()}.yaml)`;

  test.each<[string, readonly PlanObject[], readonly string[]]>([
    ['a selector that fits', [web, service({ app: 'web' })], []],
    [
      'a selector with a slip',
      [web, service({ app: 'wbe' })],
      [`${at('Service')} selects app=wbe, which no pods of the release have; those of Deployment/web have app=web`],
    ],
    ['a selector of pods that another release has', [web, service({ app: 'database' })], []],
    ['a backend that fits', [service({}), ingress('web', { number: 80 }), ingress('web', { name: 'http' })], []],
    [
      'a port that its Service does not have',
      [service({}), ingress('web', { number: 8080 })],
      [`${at('Ingress')} names port 8080 of Service/web, which has 80 http`],
    ],
    [
      'a Service with a slip',
      [service({}), ingress('wbe', { number: 80 })],
      [`${at('Ingress')} names Service/wbe: the release has ${at('Service')}: did you mean it?`],
    ],
    ['a Service of another release', [service({}), ingress('database', { number: 80 })], []],
  ])('%s', (_what, objects, told) => expect(looseEnds(objects).map(({ note }) => note)).toEqual(told));
});
