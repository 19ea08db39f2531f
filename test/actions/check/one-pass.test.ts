import { expect, test } from 'vitest';
import { check } from '../../../src/actions/check.ts';
import { isOfObject, placeToChange } from '../../../src/problem/problem.ts';
import { chartOf } from '../harness.ts';

/** Each finding as `code line`, or `code name` of what has no line. */
async function foundIn(template: string): Promise<readonly string[]> {
  const chart = await chartOf({ 'templates/a.yaml': template });
  const { findings } = await check(chart, new Map(), { name: 'rel', namespace: 'default' });
  return findings.map(({ problem }) => {
    const { line } = placeToChange(problem);
    return `${problem.code} ${line ?? (isOfObject(problem) ? problem.subject.id.name : '')}`;
  });
}

// What would only be refused once something else is mended is told at the same time.
test.each<[string, string, readonly string[]]>([
  [
    'a label that stands one level too high, and is none',
    'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  labels:\n  one: b\n  team: a b\n',
    ['field-unknown 6', 'field-unknown 7', 'name-invalid 5'],
  ],
  [
    'a request that is more than its limit, whose unit is wrong',
    'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  containers:\n  - name: a\n    image: a\n    resources:\n      limits: {memory: 512MB}\n      requests: {memory: 1Gi}\n',
    ['quantity-invalid 9', 'field-value 10'],
  ],
  [
    'but not what a guess makes wrong',
    'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  containers:\n  - name: a\n    image: a\n    resources:\n      limits: {cpu: 8cores}\n      requests: {cpu: 2}\n',
    ['quantity-invalid 9'],
  ],
  [
    'fields of a kind that is gone, as those of its replacement',
    'apiVersion: networking.k8s.io/v1beta1\nkind: Ingress\nmetadata: {name: a}\nspec:\n  rules:\n  - http:\n      paths:\n      - path: /\n        pathType: Prefix\n        backend:\n          serviceName: a\n',
    ['field-unknown 11', 'field-value 10', 'kind-removed 1'],
  ],
  [
    'a port that pods do not have which a Service nearly selects',
    'apiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec:\n  selector: {app: webb}\n  ports: [{port: 80, targetPort: web}]\n---\napiVersion: v1\nkind: Pod\nmetadata: {name: a, labels: {app: web}}\nspec: {containers: [{name: a, image: a, ports: [{name: http, containerPort: 80}]}]}\n',
    ['no-pod-selected 5', 'target-port-missing 6'],
  ],
  [
    'a selector whose label has no value, so that it has no name that is nearly right',
    'apiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec:\n  selector: {app: null}\n  ports: [{port: 80}]\n---\napiVersion: v1\nkind: Pod\nmetadata: {name: a, labels: {app: web}}\nspec: {containers: [{name: a, image: a}]}\n',
    ['no-pod-selected 5'],
  ],
  [
    'a field below a key that stands twice',
    'apiVersion: v1\nkind: Service\nmetadata:\n  labels: {app: a}\nmetadata:\n  name: a\nspec:\n  port: [{port: 80}]\n',
    ['field-unknown 8', 'field-required 7', 'key-twice 5'],
  ],
  [
    'keys that stand twice, at any depth, once for each',
    'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  labels: {app: a}\n  labels: &one\n    app: b\n    app: c\n    app: d\ndata: {a: b}\nbinaryData: {b: "", b: ""}\n',
    ['key-twice 6', 'key-twice 9', 'key-twice 11'],
  ],
  [
    'a port that no container has',
    'apiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec:\n  ports:\n  - {name: a, port: 80, targetPort: http}\n  - name: b\n    port: 81\n    targetPort: web\n  selector: {app: web}\n---\napiVersion: v1\nkind: Pod\nmetadata: {name: a, labels: {app: web}}\nspec: {containers: [{name: a, image: a, ports: [{name: http, containerPort: 80}]}]}\n',
    ['target-port-missing 9'],
  ],
  [
    'the event of a hook that nobody knows',
    'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  annotations:\n    helm.sh/hook: pre-instal\n    helm.sh/hook-weight: first\n',
    ['hook-word-unknown 6', 'hook-number-invalid 7'],
  ],
  [
    'a port of a probe',
    'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  containers:\n  - name: a\n    image: a\n    ports: [{name: http, containerPort: 80}]\n    livenessProbe:\n      httpGet:\n        port: https\n    readinessProbe: {tcpSocket: {port: http}}\n    startupProbe: {tcpSocket: {port: 81}}\n',
    ['probe-port-missing 11'],
  ],
  [
    'ports of Services behind an Ingress',
    'apiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec: {ports: [{name: http, port: 80}]}\n---\napiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: a}\nspec:\n  defaultBackend: {service: {name: a, port: {number: 80}}}\n  rules:\n  - http:\n      paths:\n      - path: /\n        pathType: Prefix\n        backend:\n          service:\n            name: a\n            port: {number: 8080}\n      - path: /b\n        pathType: Prefix\n        backend:\n          service:\n            name: a\n            port: {name: web}\n',
    ['service-port-missing 19', 'service-port-missing 25'],
  ],
  [
    'what is said to be required and has another value',
    'apiVersion: batch/v1\nkind: Job\nmetadata: {name: a}\nspec:\n  template:\n    spec:\n      restartPolicy: Always\n      containers: [{name: a, image: a}]\n',
    ['field-value 7'],
  ],
])('%s', async (_what, template, expected) => expect(await foundIn(template)).toEqual(expected));

test('each template that cannot be rendered is told, in subcharts too', async () => {
  const chart = await chartOf({
    'templates/a.yaml': '{{ .Values.a.b }}',
    'templates/b.yaml': 'a: b: c\n',
    'templates/c.yaml': '\n{{ qoute .Values.x }}',
    'templates/d.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n',
    'charts/db/Chart.yaml': 'apiVersion: v2\nname: db\nversion: 1.0.0\n',
    'charts/db/templates/e.yaml': '{{ fail "no" }}',
  });
  const { isRendered, findings } = await check(chart, new Map(), { name: 'rel', namespace: 'default' });
  const places = findings.map(
    ({ problem }) => `${problem.code} ${placeToChange(problem).file?.replace(/^[^/]*\//, '')}`,
  );
  expect(isRendered).toBe(false);
  expect(places.sort()).toEqual([
    'chart-refuses charts/db/templates/e.yaml',
    'function-unknown templates/c.yaml',
    'value-missing templates/a.yaml',
    'yaml-nested-mapping templates/b.yaml',
  ]);
});

test('a quantity that is null is 0, as the API server says', async () => {
  const pod =
    'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  containers: [{name: a, image: a, resources: {limits: {cpu: null}, requests: {cpu: 1}}}]\n';
  const { findings } = await check(await chartOf({ 'templates/a.yaml': pod }), new Map(), {
    name: 'rel',
    namespace: 'default',
  });
  expect(JSON.stringify(findings)).toContain('must be less than or equal to cpu limit of 0');
});
