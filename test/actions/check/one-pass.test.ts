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
    ['field-unknown 6', 'field-unknown 7', 'name-invalid 7'],
  ],
  [
    'a request that is more than its limit, whose unit is wrong',
    'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  containers:\n  - name: a\n    image: a\n    resources:\n      limits: {memory: 512MB}\n      requests: {memory: 1Gi}\n',
    ['quantity-invalid 9', 'field-value 10'],
  ],
  [
    'a quantity of too many points',
    'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  containers:\n  - name: a\n    image: a\n    resources:\n      limits: {cpu: 1.2.3}\n',
    ['quantity-invalid 9'],
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
    'what refers to an object of a kind that is gone, and what it refers to',
    'apiVersion: apps/v1beta1\nkind: Deployment\nmetadata: {name: a}\nspec:\n  selector: {matchLabels: {app: a}}\n  template:\n    metadata: {labels: {app: a}}\n    spec:\n      containers:\n      - name: a\n        image: a\n        ports: [{name: http, containerPort: 80}]\n        livenessProbe:\n          tcpSocket: {port: web}\n---\napiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec:\n  selector: {app: a}\n  ports: [{port: 80, targetPort: http}]\n',
    ['kind-removed 1', 'probe-port-missing 14'],
  ],
  [
    'fields of a misspelt kind, and what refers to it and what it refers to, as of the kind that is meant',
    'apiVersion: apps/v1\nkind: Deploymnt\nmetadata: {name: a}\nspec:\n  selector: {matchLabels: {app: a}}\n  replica: 2\n  template:\n    metadata: {labels: {app: a}}\n    spec:\n      containers:\n      - name: a\n        image: a\n        ports: [{name: http, containerPort: 80}]\n        livenessProbe:\n          tcpSocket: {port: web}\n---\napiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec:\n  selector: {app: a}\n  ports: [{port: 80, targetPort: http}]\n',
    ['kind-unknown 2', 'field-unknown 6', 'probe-port-missing 15'],
  ],
  [
    'the same of a version that is not there',
    'apiVersion: apps/v3\nkind: Deployment\nmetadata: {name: a}\nspec:\n  selector: {matchLabels: {app: a}}\n  replica: 2\n  template:\n    metadata: {labels: {app: a}}\n    spec:\n      containers:\n      - name: a\n        image: a\n        ports: [{name: http, containerPort: 80}]\n        livenessProbe:\n          tcpSocket: {port: web}\n---\napiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec:\n  selector: {app: a}\n  ports: [{port: 80, targetPort: http}]\n',
    ['kind-unknown 1', 'field-unknown 6', 'probe-port-missing 15'],
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
    ['field-unknown 8', 'key-twice 5'],
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
  [
    'a required field that is misspelt, once',
    'apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: a}\nrules:\n- apiGroups: [""]\n  resources: [pods]\n  verb: [get]\n',
    ['field-unknown 7'],
  ],
  [
    'what is wrong below a field that is misspelt',
    'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  container:\n  - name: a\n    image: a\n    imagePullPolicy: never\n',
    ['field-unknown 5', 'field-choice 8'],
  ],
  ['a name that is misspelt', 'apiVersion: v1\nkind: ServiceAccount\nmetadata:\n  nam: a\n', ['field-unknown 4']],
  [
    'a word that a server refuses for two reasons, once',
    'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\nspec:\n  selector: {matchLabels: {a: b}}\n  template:\n    metadata: {labels: {a: b}}\n    spec:\n      restartPolicy: always\n      containers: [{name: a, image: a}]\n',
    ['field-choice 9'],
  ],
  [
    'a word of one choice beside another mistake, once',
    'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\nspec:\n  strategy: {type: Recreat}\n  selector: {matchLabels: {a: b}}\n  template:\n    metadata: {labels: {a: b}}\n    spec:\n      restartPolicy: OnFailure\n      containers: [{name: a, image: a}]\n',
    ['field-choice 10', 'field-choice 5'],
  ],
  [
    'an account without its namespace, once',
    'apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleBinding\nmetadata: {name: a}\nroleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: view}\nsubjects:\n- kind: ServiceAccount\n  name: a\n',
    ['field-required 6'],
  ],
  [
    'an account of another namespace than that of the release',
    'apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: a}\n---\napiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleBinding\nmetadata: {name: a}\nroleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: view}\nsubjects:\n- kind: ServiceAccount\n  name: a\n  namespace: other\n',
    ['reference-misspelt 12'],
  ],
  [
    'names of images that no kubelet can read',
    'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  containers:\n  - {name: a, image: "a.b:5000/c/d_e:v1@sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"}\n  - {name: b, image: "a:latest 1"}\n  - {name: c, image: "a:"}\n  - {name: d, image: "a/B"}\n  - {name: e, image: "[::1]:5000/a"}\n',
    ['image-name-invalid 7', 'image-name-invalid 8', 'image-name-invalid 9'],
  ],
  [
    'a file of a ConfigMap that is mounted by itself',
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a.sh: a}\n---\napiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  containers:\n  - name: a\n    image: a\n    volumeMounts:\n    - {name: v, mountPath: /a, subPath: a.sh}\n    - name: v\n      mountPath: /b\n      subPath: b.sh\n    - {name: w, mountPath: /c, subPath: b.sh}\n  volumes:\n  - {name: v, configMap: {name: a}}\n  - {name: w, configMap: {name: a, items: [{key: a.sh, path: b.sh}]}}\n',
    ['key-missing 17'],
  ],
  [
    'a port of pods of the release, though an operator makes others',
    'apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {name: a}\nrules: [{apiGroups: [apps], resources: [deployments], verbs: [create]}]\n---\napiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec:\n  selector: {app: web}\n  ports: [{port: 80, targetPort: web}]\n---\napiVersion: v1\nkind: Service\nmetadata: {name: b}\nspec: {selector: {app: other}, ports: [{port: 80}]}\n---\napiVersion: v1\nkind: Pod\nmetadata: {name: a, labels: {app: web}}\nspec: {containers: [{name: a, image: a, ports: [{name: http, containerPort: 80}]}]}\n',
    ['target-port-missing 11'],
  ],
  [
    'a node port that no API server gives by default',
    'apiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec:\n  type: NodePort\n  ports:\n  - port: 80\n    nodePort: 80\n',
    ['node-port-outside 8'],
  ],
  [
    'a node port that no API server can have',
    'apiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec:\n  type: NodePort\n  ports:\n  - port: 80\n    nodePort: 70000\n',
    ['field-value 8'],
  ],
  [
    'a protocol that is set to nothing',
    'apiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec:\n  ports:\n  - port: 80\n    appProtocol: ""\n',
    ['name-invalid 7'],
  ],
  [
    'what is wrong beside a node port',
    'apiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec:\n  type: NodePort\n  sessionAffinity: Client\n  ports:\n  - port: "80"\n    nodePort: 80\n',
    ['field-type 8', 'field-choice 6', 'node-port-outside 9'],
  ],
  [
    'memory without its unit, or with that of a processor',
    'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  containers:\n  - name: a\n    image: a\n    resources:\n      limits: {cpu: 1, memory: 128m}\n      requests: {memory: 0}\n  - name: b\n    image: a\n    resources:\n      limits: {memory: 1e9}\n      requests: {memory: 128}\n',
    ['memory-too-small 9', 'memory-too-small 15'],
  ],
  [
    'a Deployment that is scaled by another name',
    'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  selector: {matchLabels: {a: b}}\n  template:\n    metadata: {labels: {a: b}}\n    spec: {containers: [{name: a, image: a}]}\n---\napiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: a}\nspec:\n  maxReplicas: 2\n  scaleTargetRef:\n    apiVersion: apps/v1\n    kind: Deployment\n    name: web-server\n',
    ['reference-misspelt 18'],
  ],
  [
    'a Secret of the release, but for its first letters unlike the one that is there',
    'apiVersion: v1\nkind: Secret\nmetadata: {name: rel-shop-api}\n---\napiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  containers: [{name: a, image: a}]\n  volumes:\n  - name: v\n    secret:\n      secretName: rel-shop-tls\n',
    ['reference-outside 13'],
  ],
  [
    'a line of an annotation that leaves nothing out, for want of a reason',
    'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  annotations:\n    tshelm.dev/check-ignore: |\n      key-missing: known\n      field-choice\n',
    ['ignore-invalid 8'],
  ],
  [
    'the label that is wrong',
    'apiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec:\n  selector:\n    app: web\n    tier: backend\n  ports: [{port: 80}]\n---\napiVersion: v1\nkind: Pod\nmetadata: {name: a, labels: {app: web, tier: main}}\nspec: {containers: [{name: a, image: a}]}\n',
    ['no-pod-selected 7'],
  ],
])('%s', async (_what, template, expected) => expect(await foundIn(template)).toEqual(expected));

test('items with the same key are told at each of them, the last one first', async () => {
  const pod =
    'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  containers:\n  - name: a\n    image: a\n    env:\n    - name: A\n      value: x\n    - name: A\n      value: y\n';
  const { findings } = await check(await chartOf({ 'templates/a.yaml': pod }), new Map(), {
    name: 'rel',
    namespace: 'default',
  });
  const lines = findings.map(({ problem }) =>
    problem.places.flatMap((place) => (place.kind === 'field' ? (place.lines?.map(({ line }) => line) ?? []) : [])),
  );
  expect(lines).toEqual([[11, 9]]);
});

test('where a template cannot be rendered, objects of the others are checked', async () => {
  const chart = await chartOf({
    'templates/a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n    a: b\n   c: d\n',
    'templates/b.yaml':
      'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: b\n  annotations: {a: {{ include (print $.Template.BasePath "/a.yaml") . | sha256sum }}}\ndatas: {}\n',
  });
  const { isRendered, findings } = await check(chart, new Map(), { name: 'rel', namespace: 'default' });
  expect(isRendered).toBe(false);
  expect(findings.map(({ problem }) => problem.code)).toEqual(['yaml-indent', 'field-unknown']);
});

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

const web = (text: string): string =>
  `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  selector: {matchLabels: {app: web}}\n  template:\n    metadata:\n      labels: {app: web}\n    spec:\n      containers:\n      - name: web\n        image: web\n        ports:\n        - containerPort: 80\n          name: http\n---\napiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec:\n  selector: {app: web}\n  ports: [{port: 80, targetPort: http}]\n${text}`;

// What a Service selects, and the ports of its pods, are there by the names that were meant.
test.each([
  ['spec:\n  selector', 'specs:\n  selector', ['field-unknown 4']],
  ['    spec:', '    specs:', ['field-unknown 9']],
  ['containers:', 'container:', ['field-unknown 10']],
  ['      labels:', '      label:', ['field-unknown 8']],
  ['        ports:', '        port:', ['field-unknown 13']],
  [
    'metadata: {name: web}\nspec:\n  selector: {matchLabels',
    'metadat: {name: web}\nspec:\n  selector: {matchLabels',
    ['field-unknown 3'],
  ],
  ['containerPort: 80\n          name: http', 'containerPort: 80\n          nam: http', ['field-unknown 15']],
])('what follows from a misspelt name is not told: %s', async (right, wrong, expected) =>
  expect(await foundIn(web('').replace(right, wrong))).toEqual(expected),
);

test('a field below a misspelt one has its own line and name', async () => {
  const template = web('')
    .replace('    spec:', '    specs:')
    .replace('containers:', 'container:')
    .replace('image:', 'imag:');
  const { findings } = await check(await chartOf({ 'templates/a.yaml': template }), new Map(), {
    name: 'rel',
    namespace: 'default',
  });
  expect(
    findings.map(({ problem }) => [placeToChange(problem).line, ...problem.remedies.map((one) => JSON.stringify(one))]),
  ).toEqual(
    [
      [9, 'spec', 'specs'],
      [10, 'containers', 'container'],
      [12, 'image', 'imag'],
    ].map(([line, name, instead]) => [line, JSON.stringify({ kind: 'use-name', name, instead, isGuess: true })]),
  );
});

const configMap = (data: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n${data}\nimmutabl: true\n`;

// What does not render does not hide the rest of its file.
test.each([
  ['a function', configMap('  a: {{ .Values.a | qoute }}'), ['function-unknown 6', 'field-unknown 7']],
  [
    'a helper',
    `{{ define "one" }}b{{ end }}${configMap('  a: {{ include "ones" . }}')}`,
    ['template-unknown 6', 'field-unknown 7'],
  ],
  ['the depth of a line', configMap('  a: b\n   c: d'), ['yaml-indent 7', 'field-unknown 8']],
  [
    'two values',
    configMap('  a: {{ .Values.a.b }}\n  b: {{ .Values.c.d | quote }}'),
    ['value-missing 6', 'value-missing 7', 'field-unknown 8'],
  ],
  [
    'one value twice',
    configMap('  a: {{ .Values.a.b }}\n  b: {{ .Values.a.b }}'),
    ['value-missing 6', 'field-unknown 8'],
  ],
  ['what the chart refuses', `{{ fail "no" }}\n${configMap('  a: b')}`, ['chart-refuses 1', 'field-unknown 8']],
  [
    'a number',
    'apiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec:\n  port: []\n  ports:\n  - port: {{ required "a" .Values.a }}\n',
    ['chart-refuses 7', 'field-unknown 5'],
  ],
  [
    'a name',
    'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ required "a" .Values.a }}\ndatas: {}\n',
    ['chart-refuses 4', 'field-unknown 5'],
  ],
  [
    'a condition',
    `{{ if .Values.a.on }}{{ end }}${configMap('  a: "{{ .Values.a.b }}"')}`,
    ['value-missing 1', 'field-unknown 7'],
  ],
  [
    'what is left out then',
    `{{ if .Values.a.on }}\n${configMap('  a: b')}{{ end }}---\napiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  containers: [{name: a, imag: a, envFrom: [{configMapRef: {name: a}}]}]\n`,
    ['value-missing 1', 'field-unknown 14'],
  ],
  [
    'a broken reference beside it',
    `${configMap('  a: {{ .Values.a.b }}').replace('immutabl: true\n', '')}---\napiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  containers: [{name: a, image: a, envFrom: [{configMapRef: {name: b, }}, {configMapRef: {name: a}}]}]\n`,
    ['value-missing 6', 'reference-outside 12'],
  ],
  [
    'a reference to a name that is not known',
    `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ required "a" .Values.a }}\n---\napiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  containers:\n  - name: a\n    image: a\n    envFrom:\n    - configMapRef: {name: unknown-to-all}\n`,
    ['chart-refuses 4'],
  ],
  [
    'a line too deep, without what is below it',
    `apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n   securityContext:\n    runAsUsr: 1\n  nodeName: a\n  container:\n  - name: a\n    image: a\n`,
    ['yaml-indent 5', 'field-unknown 8'],
  ],
])('of a template that does not render the rest is checked: %s', async (_what, template, expected) =>
  expect(await foundIn(template)).toEqual(expected),
);

test('values that do not fit a schema do not hide what is wrong in templates, nor are they told again', async () => {
  const chart = await chartOf({
    'values.yaml': 'replicas: two\nport: 80\n',
    'values.schema.json': '{"properties": {"replicas": {"type": "integer"}, "mode": {}}, "required": ["mode"]}',
    'templates/a.yaml': web('')
      .replace('spec:\n', 'spec:\n  replicas: {{ .Values.replicas }}\n')
      .replace('image:', 'imag:'),
    'templates/b.yaml': configMap('  mode: {{ .Values.mode.name }}'),
  });
  const { isRendered, findings } = await check(chart, new Map(), { name: 'rel', namespace: 'default' });
  expect(isRendered).toBe(false);
  expect(findings.map(({ problem }) => `${problem.code} ${placeToChange(problem).line ?? ''}`)).toEqual([
    'value-missing ',
    'value-misfit ',
    'field-unknown 7',
    'field-unknown 13',
  ]);
});

test('labels that a selector asks for are named, and what may be meant', async () => {
  const remediesOf = async (labels: string) => {
    const chart = await chartOf({ 'templates/a.yaml': web('').replace('labels: {app: web}', `labels: ${labels}`) });
    const { findings } = await check(chart, new Map(), { name: 'rel', namespace: 'default' });
    return findings.filter(({ problem }) => problem.code === 'selector-mismatch').map(({ problem }) => problem);
  };
  expect(await remediesOf('{apps: web}')).toMatchObject([
    {
      cause: { unlike: [{ key: 'app', wanted: 'web', near: 'apps' }] },
      remedies: [{ kind: 'use-name', name: 'app', instead: 'apps', isEither: true }],
    },
  ]);
  expect(await remediesOf('{app: wob}')).toMatchObject([
    {
      cause: { unlike: [{ key: 'app', wanted: 'web', found: 'wob' }] },
      remedies: [{ kind: 'use-name', name: 'web', instead: 'wob', isEither: true }],
    },
  ]);
  expect(await remediesOf('{tier: front}')).toMatchObject([
    { remedies: [{ kind: 'change-field', path: ['spec', 'template', 'metadata', 'labels', 'app'], value: 'web' }] },
  ]);
});

test('without a selector no label is said to be missing', async () => {
  expect(await foundIn(web('').replace('  selector: {matchLabels: {app: web}}\n', ''))).toEqual(['field-required 4']);
});

test('a Secret whose name an argument of a Job gives is not said to be in the cluster', async () => {
  const pod =
    'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  volumes: [{name: a, secret: {secretName: made}}]\n  containers: [{name: a, image: a}]\n';
  const job = (arg: string) =>
    `---\napiVersion: batch/v1\nkind: Job\nmetadata: {name: a}\nspec:\n  template:\n    spec:\n      restartPolicy: Never\n      containers: [{name: a, image: a, args: [create, ${arg}]}]\n`;
  expect(await foundIn(pod + job('--secret-name=made'))).toEqual([]);
  expect(await foundIn(pod + job('--secret-name=other'))).toEqual(['reference-outside 5']);
});

test('of a value that is renamed in values.yaml or in templates each use is meant, and it is told once', async () => {
  const chart = await chartOf({
    'values.yaml': 'imagess: {tag: "1", name: web}\n',
    'templates/a.yaml': configMap('  a: "{{ .Values.images.tag }}"'),
    'templates/b.yaml': configMap('  b: "{{ .Values.images.name }}"').replace('name: a', 'name: b'),
  });
  const { findings } = await check(chart, new Map(), { name: 'rel', namespace: 'default' });
  expect(findings.map(({ problem }) => [problem.code, placeToChange(problem).line])).toEqual([
    ['value-missing', 6],
    ['field-unknown', 7],
    ['field-unknown', 7],
  ]);
  expect(findings[0]?.problem.remedies).toEqual([
    { kind: 'use-name', name: 'imagess', instead: 'images', isGuess: true, isEither: true },
  ]);
});

test('a value that is set to null has the name that it should have', async () => {
  const chart = await chartOf({
    'values.yaml': 'rbac: null\nrbacs: {create: true}\n',
    'templates/a.yaml': '{{ if .Values.rbac.create }}{{ end }}',
  });
  const { findings } = await check(chart, new Map(), { name: 'rel', namespace: 'default' });
  const missing = findings.find(({ problem }) => problem.code === 'value-missing');
  expect(missing?.problem.remedies).toEqual([{ kind: 'set-value', keys: ['rbac', 'create'] }]);
});

test.each([
  [
    '        readinessProbe:\n          httpGet:\n            port: http\n            periodSeconds: two\n',
    ['spec', 'template', 'spec', 'containers', 0, 'readinessProbe'],
    'field-type',
  ],
  [
    '        env: []\n      - name: b\n        image: b\n        resources:\n          volumeMounts: [{name: x, mountPath: /x}]\n',
    ['spec', 'template', 'spec', 'containers', 1],
    'field-value',
  ],
  ['', ['spec', 'template', 'spec'], 'field-type'],
])('a field at the wrong depth is looked at where it belongs: %s', async (lines, below, other) => {
  const deep = web('').replace('        ports:', `${lines}        ports:`);
  const template = lines === '' ? deep.replace('    spec:', '    volumes: two\n    spec:') : deep;
  const { findings } = await check(await chartOf({ 'templates/a.yaml': template }), new Map(), {
    name: 'rel',
    namespace: 'default',
  });
  expect(findings.map(({ problem }) => problem.code).slice(0, 2)).toEqual(['field-unknown', other]);
  expect(findings[0]?.problem.remedies).toMatchObject([{ kind: 'indent', below: [below] }]);
});

test('a value that the schema does not know hides no mistake that has values', async () => {
  const chart = await chartOf({
    'values.yaml': 'replicas: two\n',
    'values.schema.json': '{"maxProperties": 0}',
    'templates/a.yaml': web('').replace('spec:\n', 'spec:\n  replicas: {{ .Values.replicas }}\n'),
  });
  const { findings } = await check(chart, new Map(), { name: 'rel', namespace: 'default' });
  expect(findings.map(({ problem }) => problem.code)).toEqual(['value-misfit', 'field-type']);
});

test.each([
  ['quay.io/{{ .Values.image.name }}:{{ .Values.image.tag }}', ['image', 'name']],
  ['{{ .Values.image.registry | default "quay.io" }}/{{ .Values.image.name }}:1', ['image', 'name']],
  ['web:{{ .Values.image.version }}', undefined],
  ['web:{{ .Values.image.digest }}', ['image', 'digest']],
  ['{{ .Values.image.name }}/{{ .Values.image.repository }}:1', undefined],
  ['Web:{{ .Values.image.tag }}', undefined],
])('the value that leaves a part of an image empty is named: %s', async (image, keys) => {
  const chart = await chartOf({
    'values.yaml': 'image: {registry: "", tag: "1"}\n',
    'templates/a.yaml': `apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  containers:\n  - name: a\n    image: '${image}'\n`,
  });
  const { findings } = await check(chart, new Map(), { name: 'rel', namespace: 'default' });
  const [problem] = findings.map((one) => one.problem).filter(({ code }) => code === 'image-name-invalid');
  expect(problem?.remedies.flatMap((one) => (one.kind === 'set-value' ? [one.keys] : []))).toEqual(
    keys === undefined ? [] : [keys],
  );
});

test('a define that is misspelt is told once, with its line, and calls that are misspelt with each of theirs', async () => {
  const map = (name: string, call: string): string =>
    configMap(`  a: {{ include "${call}" . }}`).replace('name: a', `name: ${name}`);
  const foundIn = async (calls: readonly string[]) => {
    const files = calls.map((call, index) => [`templates/${index}.yaml`, map(`a${index}`, call)]);
    const chart = await chartOf({ ...Object.fromEntries(files), 'templates/_a.tpl': '{{ define "one" }}b{{ end }}' });
    const { findings } = await check(chart, new Map(), { name: 'rel', namespace: 'default' });
    return findings.map(({ problem: { code, places, remedies } }) => [
      code,
      places.flatMap((place) => (place.kind === 'template' ? [place.line] : [])),
      remedies.some((one) => one.kind === 'use-name' && one.isEither === true),
    ]);
  };
  const others = [0, 1, 2].map(() => ['field-unknown', [], false]);
  expect(await foundIn(['ones', 'ones', 'ones'])).toEqual([['template-unknown', [6, 1], true], ...others]);
  expect(await foundIn(['ones', 'ones', 'one'])).toEqual([['template-unknown', [6, 6], false], ...others]);
});

test('a port that is refused is not said to be missing elsewhere', async () => {
  const chart = await chartOf({
    'values.yaml': 'port: three\n',
    'templates/a.yaml': web('')
      .replace('containerPort: 80\n          name: http', 'containerPort: {{ .Values.port }}')
      .replace('targetPort: http', 'targetPort: {{ .Values.port }}'),
  });
  const { findings } = await check(chart, new Map(), { name: 'rel', namespace: 'default' });
  expect(findings.map(({ problem }) => problem.code)).toEqual(['field-type']);
});

test('a missing end leaves out what may be missing for it, and no more', async () => {
  const chart = await chartOf({
    'templates/a.yaml': web('').replace('targetPort: http', 'targetPort: htp'),
    'templates/b.yaml': `{{ if .Values.on }}\n${configMap('  a: b')}`,
    'templates/c.yaml':
      'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  containers: [{name: a, image: a, envFrom: [{configMapRef: {name: a}}]}]\n',
  });
  const { findings } = await check(chart, new Map(), { name: 'rel', namespace: 'default' });
  expect(findings.map(({ problem }) => problem.code)).toEqual(['action-not-closed', 'target-port-missing']);
});
