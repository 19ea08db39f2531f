import { type FieldPath, valueAtPath } from './field-path.ts';
import { groupOf } from './resource-id.ts';
import type { KubernetesObject, ResourceId } from './types.ts';

/** An object, and its id with the namespace where that is known. */
export interface Identified {
  readonly id: ResourceId;
  readonly object: KubernetesObject;
}

/** Another object that an object names, or a key of it. */
export interface Reference {
  readonly id: ResourceId;
  readonly key?: string | undefined;
  /** The field that names it. */
  readonly path: FieldPath;
}

/** What an object refers to and cannot do without; or also what is optional. */
export function referencesOf({ id, object }: Identified, isOptionalToo = false): readonly Reference[] {
  const rule = rules[`${id.kind}.${groupOf(id.apiVersion)}`];
  return rule === undefined ? [] : rule(new Reader(object, id.namespace, isOptionalToo));
}

/** The keys of a ConfigMap or Secret; undefined where they may come later: it has none yet. */
export function keysOf(object: KubernetesObject): readonly string[] | undefined {
  const maps = ['data', 'stringData', 'binaryData'].map((name) => object[name] ?? {});
  const keys = maps.flatMap((map) => Object.keys(map as object));
  return keys.length === 0 ? undefined : keys;
}

interface Named {
  readonly kind: string;
  readonly apiVersion?: string | undefined;
  /** Default: the namespace of the object that names it. '' of what is in none. */
  readonly namespace?: string | undefined;
  readonly key?: FieldPath | undefined;
}

/** Reads texts of an object by their paths. */
export class Reader {
  readonly #object: KubernetesObject;
  readonly namespace: string;
  readonly #isOptionalToo: boolean;

  constructor(object: KubernetesObject, namespace = '', isOptionalToo = false) {
    this.#object = object;
    this.#isOptionalToo = isOptionalToo;
    this.namespace = namespace;
  }

  text(path: FieldPath): string {
    const value = valueAtPath(this.#object, path);
    return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  }

  isTrue(path: FieldPath): boolean {
    return valueAtPath(this.#object, path) === true;
  }

  /** The ways to the items of a list. */
  items(path: FieldPath): readonly FieldPath[] {
    const list = valueAtPath(this.#object, path);
    return Array.isArray(list) ? list.map((_item, index) => [...path, index]) : [];
  }

  /** The object that a field names; [] where it names none. */
  named(path: FieldPath, { kind, apiVersion = 'v1', namespace = this.namespace, key }: Named): readonly Reference[] {
    const name = this.text(path);
    if (name === '') return [];
    const id = { apiVersion, kind, namespace, name };
    const text = key === undefined ? '' : this.text(key);
    return [{ id, path: text === '' ? path : (key as FieldPath), ...(text !== '' && { key: text }) }];
  }

  /** The same of a source that may be optional: `configMapKeyRef`. */
  source(path: FieldPath, kind: string, nameField = 'name'): readonly Reference[] {
    if (!this.#isOptionalToo && this.isTrue([...path, 'optional'])) return [];
    const items = this.items([...path, 'items']);
    const keys = items.length > 0 ? items.map((item) => [...item, 'key']) : [[...path, 'key']];
    return keys.flatMap((key) => this.named([...path, nameField], { kind, key }));
  }
}

type Rule = (reader: Reader) => readonly Reference[];

const podRule =
  (path: FieldPath): Rule =>
  (reader) => [
    ...accountReference(reader, path),
    ...reader
      .items([...path, 'imagePullSecrets'])
      .flatMap((item) => reader.named([...item, 'name'], { kind: 'Secret' })),
    ...reader.named([...path, 'priorityClassName'], {
      kind: 'PriorityClass',
      apiVersion: 'scheduling.k8s.io/v1',
      namespace: '',
    }),
    ...reader.named([...path, 'runtimeClassName'], {
      kind: 'RuntimeClass',
      apiVersion: 'node.k8s.io/v1',
      namespace: '',
    }),
    ...reader.items([...path, 'volumes']).flatMap((volume) => volumeReferences(reader, volume)),
    ...['initContainers', 'containers'].flatMap((list) =>
      reader
        .items([...path, list])
        .flatMap((container) => [
          ...containerReferences(reader, container),
          ...mountReferences(reader, container, reader.items([...path, 'volumes'])),
        ]),
    ),
  ];

/** The file of a ConfigMap or a Secret that is mounted by itself, where the volume has all of them. */
const mountReferences = (reader: Reader, container: FieldPath, volumes: readonly FieldPath[]): readonly Reference[] =>
  reader.items([...container, 'volumeMounts']).flatMap((mount): readonly Reference[] => {
    const key = reader.text([...mount, 'subPath']).split('/')[0] ?? '';
    const name = reader.text([...mount, 'name']);
    const volume = volumes.find((one) => reader.text([...one, 'name']) === name);
    if (key === '' || key === '.' || volume === undefined) return [];
    return [
      ...reader.source([...volume, 'configMap'], 'ConfigMap'),
      ...reader.source([...volume, 'secret'], 'Secret', 'secretName'),
    ]
      .filter((one) => one.key === undefined)
      .map((one) => ({ ...one, key, path: [...mount, 'subPath'] }));
  });

function accountReference(reader: Reader, path: FieldPath): readonly Reference[] {
  const named = reader.named([...path, 'serviceAccountName'], { kind: 'ServiceAccount' });
  return named.length > 0 ? named : reader.named([...path, 'serviceAccount'], { kind: 'ServiceAccount' });
}

const volumeReferences = (reader: Reader, volume: FieldPath): readonly Reference[] => [
  ...reader.source([...volume, 'configMap'], 'ConfigMap'),
  ...reader.source([...volume, 'secret'], 'Secret', 'secretName'),
  ...reader.named([...volume, 'persistentVolumeClaim', 'claimName'], { kind: 'PersistentVolumeClaim' }),
  ...reader
    .items([...volume, 'projected', 'sources'])
    .flatMap((source) => [
      ...reader.source([...source, 'configMap'], 'ConfigMap'),
      ...reader.source([...source, 'secret'], 'Secret'),
    ]),
];

const containerReferences = (reader: Reader, container: FieldPath): readonly Reference[] => [
  ...reader
    .items([...container, 'env'])
    .flatMap((one) => [
      ...reader.source([...one, 'valueFrom', 'configMapKeyRef'], 'ConfigMap'),
      ...reader.source([...one, 'valueFrom', 'secretKeyRef'], 'Secret'),
    ]),
  ...reader
    .items([...container, 'envFrom'])
    .flatMap((one) => [
      ...reader.source([...one, 'configMapRef'], 'ConfigMap'),
      ...reader.source([...one, 'secretRef'], 'Secret'),
    ]),
];

const templateRule = podRule(['spec', 'template', 'spec']);

const classRule =
  (path: FieldPath): Rule =>
  (reader) =>
    reader.named(path, { kind: 'StorageClass', apiVersion: 'storage.k8s.io/v1', namespace: '' });

/** Whether a field is of a volume in whose place the StatefulSet puts the claim of its own of that name. */
function isReplaced(reader: Reader, path: FieldPath): boolean {
  const claims = reader
    .items(['spec', 'volumeClaimTemplates'])
    .map((claim) => reader.text([...claim, 'metadata', 'name']));
  return path[3] === 'volumes' && claims.includes(reader.text([...path.slice(0, 5), 'name']));
}

const statefulSetRule: Rule = (reader) => [
  ...templateRule(reader).filter(({ path }) => !isReplaced(reader, path)),
  ...reader.named(['spec', 'serviceName'], { kind: 'Service' }),
  ...reader
    .items(['spec', 'volumeClaimTemplates'])
    .flatMap((claim) => classRule([...claim, 'spec', 'storageClassName'])(reader)),
];

const scalerRule: Rule = (reader) => {
  const target = ['spec', 'scaleTargetRef'];
  const [kind, apiVersion] = ['kind', 'apiVersion'].map((field) => reader.text([...target, field]));
  return kind === undefined ? [] : reader.named([...target, 'name'], { kind, apiVersion });
};

const ingressRule: Rule = (reader) => {
  const paths = reader.items(['spec', 'rules']).flatMap((rule) => reader.items([...rule, 'http', 'paths']));
  const backends = [['spec', 'defaultBackend'], ...paths.map((path) => [...path, 'backend'])];
  return [
    ...backends.flatMap((backend) => reader.named([...backend, 'service', 'name'], { kind: 'Service' })),
    ...reader.items(['spec', 'tls']).flatMap((tls) => reader.named([...tls, 'secretName'], { kind: 'Secret' })),
    ...reader.named(['spec', 'ingressClassName'], {
      kind: 'IngressClass',
      apiVersion: 'networking.k8s.io/v1',
      namespace: '',
    }),
  ];
};

const rbac = 'rbac.authorization.k8s.io/v1';

const bindingRule: Rule = (reader) => {
  const kind = reader.text(['roleRef', 'kind']);
  const accounts = reader
    .items(['subjects'])
    .filter((subject) => reader.text([...subject, 'kind']) === 'ServiceAccount')
    // The API server refuses an account without it.
    .filter((subject) => reader.text([...subject, 'namespace']) !== '');
  return [
    ...reader.named(['roleRef', 'name'], {
      kind,
      apiVersion: rbac,
      namespace: kind === 'Role' ? reader.namespace : '',
    }),
    ...accounts.flatMap((subject) =>
      reader.named([...subject, 'name'], {
        kind: 'ServiceAccount',
        namespace: reader.text([...subject, 'namespace']),
      }),
    ),
  ];
};

const webhookRule: Rule = (reader) =>
  reader.items(['webhooks']).flatMap((webhook) => {
    const service = [...webhook, 'clientConfig', 'service'];
    return reader.named([...service, 'name'], { kind: 'Service', namespace: reader.text([...service, 'namespace']) });
  });

const serviceRule: Rule = (reader) =>
  reader.named(['spec', 'service', 'name'], {
    kind: 'Service',
    namespace: reader.text(['spec', 'service', 'namespace']),
  });

const routeRule: Rule = (reader) =>
  reader.items(['spec', 'parentRefs']).flatMap((parent) => {
    const [kind, namespace] = ['kind', 'namespace'].map((field) => reader.text([...parent, field]));
    const gateway = { kind: 'Gateway', apiVersion: 'gateway.networking.k8s.io/v1', namespace: namespace || undefined };
    return kind === '' || kind === 'Gateway' ? reader.named([...parent, 'name'], gateway) : [];
  });

const tokenRule: Rule = (reader) =>
  reader.text(['type']) === 'kubernetes.io/service-account-token'
    ? reader.named(['metadata', 'annotations', 'kubernetes.io/service-account.name'], { kind: 'ServiceAccount' })
    : [];

/** By kind and group. */
const rules: Readonly<Record<string, Rule>> = {
  'Pod.': podRule(['spec']),
  'ReplicationController.': templateRule,
  'Deployment.apps': templateRule,
  'ReplicaSet.apps': templateRule,
  'DaemonSet.apps': templateRule,
  'StatefulSet.apps': statefulSetRule,
  'Job.batch': templateRule,
  'CronJob.batch': podRule(['spec', 'jobTemplate', 'spec', 'template', 'spec']),
  'PersistentVolumeClaim.': classRule(['spec', 'storageClassName']),
  'HorizontalPodAutoscaler.autoscaling': scalerRule,
  'Ingress.networking.k8s.io': ingressRule,
  'Secret.': tokenRule,
  'APIService.apiregistration.k8s.io': serviceRule,
  'GRPCRoute.gateway.networking.k8s.io': routeRule,
  'HTTPRoute.gateway.networking.k8s.io': routeRule,
  'TCPRoute.gateway.networking.k8s.io': routeRule,
  'TLSRoute.gateway.networking.k8s.io': routeRule,
  'UDPRoute.gateway.networking.k8s.io': routeRule,
  'RoleBinding.rbac.authorization.k8s.io': bindingRule,
  'ClusterRoleBinding.rbac.authorization.k8s.io': bindingRule,
  'ValidatingWebhookConfiguration.admissionregistration.k8s.io': webhookRule,
  'MutatingWebhookConfiguration.admissionregistration.k8s.io': webhookRule,
};
