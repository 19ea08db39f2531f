import { describe, expect, test } from 'vitest';
import { danglingReferences } from '../../src/execute/dangling-references.ts';
import { causesInLog, namesInstead } from '../../src/execute/near-names.ts';
import type { PlanObject } from '../../src/execute/plan-objects.ts';
import { Quote } from '../../src/problem/quote.ts';
import type { WorkloadFact } from '../../src/problem/workload-fact.ts';

const made = (kind: string, name: string, content: object = {}): PlanObject => ({
  object: { apiVersion: 'v1', kind, metadata: { name }, ...content },
  source: `shop/templates/${kind.toLowerCase()}.yaml`,
});
const words = new Quote('x');
const namesFor = (fact: WorkloadFact, objects: readonly PlanObject[]) =>
  namesInstead(fact, objects).map(({ name, instead, of }) => `${of?.kind}/${of?.name}: ${name} for ${instead}`);
const suspected = (line: string, objects: readonly PlanObject[], asking = objects[0]) =>
  causesInLog([new Quote(line)], asking, objects);

test('of a host unlike all Services those are named that do not lead back to who asks', () => {
  const labels = { app: 'web' };
  const web = made('Deployment', 'web', { spec: { template: { metadata: { labels } } } });
  const own = made('Service', 'web', { spec: { selector: labels, ports: [{ port: 80 }] } });
  const others = ['db', 'cache'].map((name) =>
    made('Service', name, { spec: { selector: { app: name }, ports: [{ port: 1 }] } }),
  );
  const services = (...objects: readonly PlanObject[]) => suspected('lookup billing: no such host', objects);
  const cause = { code: 'host-unknown', host: 'billing' };
  expect(services(web, own, ...others)).toEqual([{ ...cause, services: ['db (1)', 'cache (1)'] }]);
  expect(services(web, own)).toEqual([{ ...cause, services: [] }]);
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
  const pod = { outlook: 'doubtful', reason: 'x', words } as const;
  const missing = (kind: 'ConfigMap' | 'Secret', name: string, key?: string): WorkloadFact => ({
    ...pod,
    code: 'reference-missing',
    missing: { kind, name, key },
  });

  test.each<[string, WorkloadFact, readonly string[]]>([
    [
      'a name that is much like it',
      missing('ConfigMap', 'web-layout'),
      ['ConfigMap/web-layouts: web-layouts for web-layout'],
    ],
    [
      'one of several that are missing',
      { ...missing('Secret', 'web-smtp'), alsoMissing: [{ kind: 'ConfigMap', name: 'web-layout' }] },
      ['ConfigMap/web-layouts: web-layouts for web-layout'],
    ],
    [
      'the only one of its kind',
      { ...pod, code: 'service-account-missing', name: 'reports-runner' },
      ['ServiceAccount/web-reports: web-reports for reports-runner'],
    ],
    ['the only Secret, of another name', missing('Secret', 'grafana-admin'), []],
    [
      'the only Secret, where they share a word',
      missing('Secret', 'smtp-login'),
      ['Secret/web-smtp: web-smtp for smtp-login'],
    ],
    [
      'a claim',
      { ...pod, code: 'claim-missing', claim: 'web-dta' },
      ['PersistentVolumeClaim/web-data: web-data for web-dta'],
    ],
    [
      'a priority class',
      { ...pod, code: 'priority-class-missing', name: 'batches' },
      ['PriorityClass/batch: batch for batches'],
    ],
    ['a key', missing('Secret', 'web-smtp', 'smtp-password'), ['Secret/web-smtp: password for smtp-password']],
    [
      'a key unlike the others',
      missing('Secret', 'web-smtp', 'mode'),
      ['Secret/web-smtp: password for mode', 'Secret/web-smtp: user for mode'],
    ],
    ['what is in the release and not there yet', missing('ConfigMap', 'web-layouts'), []],
    ['nothing of that kind', { ...pod, code: 'storage-class-missing', claim: 'a', storageClass: 'x' }, []],
  ])('%s', (_what, fact, names) => expect(namesFor(fact, release)).toEqual(names));

  const unknown = (host: string, services: readonly string[]) => ({ code: 'host-unknown', host, services });
  test.each<[string, string, object | undefined]>([
    [
      'a host in a log of Java',
      'Caused by: java.net.UnknownHostException: web-postgresql',
      unknown('web-postgresql', ['web-postgres (5432)']),
    ],
    [
      'a host in a log of Go',
      'dial tcp: lookup web-postgre.shop.svc on 10.0.0.10:53: no such host',
      unknown('web-postgre.shop.svc', ['web-postgres (5432)']),
    ],
    ['a host unlike all Services', 'lookup billing: no such host', unknown('billing', ['web-postgres (5432)'])],
    ['a host that a Service has', 'getaddrinfo ENOTFOUND web-postgres', undefined],
    [
      'a host outside the cluster, whose first word is much like a Service',
      'getaddrinfo ENOTFOUND web-postgre.example.com',
      { ...unknown('web-postgre.example.com', []), isOutside: true },
    ],
  ])('of a log: %s', (_what, line, cause) =>
    expect(suspected(line, release)).toEqual(cause === undefined ? [] : [cause]),
  );

  test('a host that is called after a subchart is its Service', () => {
    const broker = { ...made('Service', 'the-broker'), source: 'shop/charts/queue/templates/service.yaml' };
    const others = ['a', 'b', 'c', 'd'].map((name) => made('Service', name));
    expect(suspected("** server can't find x-queue: NXDOMAIN", [broker, ...others])).toEqual([
      unknown('x-queue', ['the-broker']),
    ]);
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
  const at = (kind: string) => ` (shop/templates/${kind.toLowerCase()}.yaml)`;

  test.each<[string, readonly PlanObject[], readonly string[]]>([
    ['a selector that fits', [web, service({ app: 'web' })], []],
    [
      'a selector with a slip',
      [web, service({ app: 'wbe' })],
      [
        `Service/web selects app=wbe, which no pods of the release have; those of Deployment/web have app=web${at('Service')}`,
      ],
    ],
    ['a selector of pods that another release has', [web, service({ app: 'database' })], []],
    ['a backend that fits', [service({}), ingress('web', { number: 80 }), ingress('web', { name: 'http' })], []],
    [
      'a port that its Service does not have',
      [service({}), ingress('web', { number: 8080 })],
      [`Ingress/web names port 8080 of Service/web, which has 80 http${at('Ingress')}`],
    ],
    [
      'a Service with a slip',
      [service({}), ingress('wbe', { number: 80 })],
      [`Ingress/web names Service/wbe, which is not in the release; it has Service/web${at('Ingress')}`],
    ],
    ['a Service of another release', [service({}), ingress('database', { number: 80 })], []],
  ])('%s', (_what, objects, told) => expect(danglingReferences(objects).map(({ note }) => note)).toEqual(told));
});
