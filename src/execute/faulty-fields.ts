import type { Finding } from '../cluster/diagnosis.ts';
import { type FieldPath, valueAtPath } from '../manifest/field-path.ts';
import { listOf } from '../manifest/fields.ts';
import type { KubernetesObject } from '../manifest/types.ts';
import type { PlanObject } from './plan-objects.ts';

/** A field of an object of the release. */
export interface ObjectField {
  readonly object: PlanObject;
  readonly path: FieldPath;
}

const maxFields = 3;

/**
 * The fields that have to be changed for a cause to go away, the likely one first, as far as the cause tells: `one` is
 * the object that was waited for, `objects` are all of the release. What the object does not have is left out.
 */
export function faultyFields(
  finding: Finding,
  one: PlanObject,
  objects: readonly PlanObject[],
): readonly ObjectField[] {
  const claim = /^PersistentVolumeClaim\/(.*)$/.exec(finding.chain.at(-1) ?? '')?.[1];
  if (claim !== undefined) return claimFields(claim, finding, one, objects).slice(0, maxFields);
  const template = podTemplateOf(one.object);
  if (template === undefined) return [];
  const words = [finding.reason, finding.verdict ?? '', finding.hint ?? ''].join('\n');
  const place: Place = { spec: template.spec, container: containerIn(finding, template.spec), words };
  const own = rules.flatMap(({ pattern, paths }) => {
    const found = pattern.exec(words);
    return found === null ? [] : paths(place, found).map((path) => [...template.path, ...path]);
  });
  const ofObject = ownRules.flatMap(({ pattern, path }) => (pattern.test(words) ? [path] : []));
  const there = [...own, ...ofObject].filter((path) => valueAtPath(one.object, path) !== undefined);
  const distinct = new Map(there.map((path) => [path.join('\0'), path]));
  return [...distinct.values()].slice(0, maxFields).map((path) => ({ object: one, path }));
}

interface PodSpec extends Readonly<Record<string, unknown>> {
  readonly containers?: readonly Fields[];
  readonly initContainers?: readonly Fields[];
}
type Fields = Readonly<Record<string, unknown>>;

interface Place {
  readonly spec: PodSpec;
  /** The way to the container that the finding is about; to each container where it is about none. */
  readonly container: readonly FieldPath[];
  readonly words: string;
}

interface Rule {
  readonly pattern: RegExp;
  /** Ways from the pod's specification. */
  readonly paths: (place: Place, found: RegExpExecArray) => readonly FieldPath[];
}

const podPaths: Readonly<Record<string, FieldPath>> = {
  Pod: ['spec'],
  CronJob: ['spec', 'jobTemplate', 'spec', 'template', 'spec'],
};

function podTemplateOf(object: KubernetesObject): { readonly path: FieldPath; readonly spec: PodSpec } | undefined {
  const path = podPaths[object.kind] ?? ['spec', 'template', 'spec'];
  const spec = valueAtPath(object, path);
  return typeof spec === 'object' && spec !== null ? { path, spec: spec as PodSpec } : undefined;
}

/** The specification of the pods that an object makes. */
export const podSpecOf = (object: KubernetesObject): PodSpec | undefined => podTemplateOf(object)?.spec;

function containerIn({ chain }: Finding, spec: PodSpec): readonly FieldPath[] {
  const all = containersOf(spec);
  const name = /^(?:init )?container (.*)$/.exec(chain.at(-1) ?? '')?.[1];
  return all.filter((path) => name === undefined || valueAtPath(spec, [...path, 'name']) === name);
}

const containersOf = (spec: PodSpec): readonly FieldPath[] =>
  (['initContainers', 'containers'] as const).flatMap((list) => listOf(spec[list]).map((_one, index) => [list, index]));

const inContainer =
  (...paths: readonly FieldPath[]) =>
  ({ container }: Place): readonly FieldPath[] =>
    container.flatMap((way) => paths.map((path) => [...way, ...path]));
const inPod =
  (...paths: readonly FieldPath[]) =>
  (): readonly FieldPath[] =>
    paths;

/** In the words of the kubelet, the scheduler, the controllers, the API server and our own; all that fit count. */
const rules: readonly Rule[] = [
  { pattern: /imagePullSecrets\)(?![^]*also missing: .*Secret\/)/, paths: inPod(['imagePullSecrets']) },
  {
    // Where the Secret with the credentials is missing, the image is innocent.
    pattern:
      /^(?![^]*imagePullSecrets\)[^]*also missing: .*Secret\/)[^]*(?:ErrImagePull|ImagePullBackOff|InvalidImageName|ErrImageNeverPull|ImageInspectError|RegistryUnavailable)/,
    paths: inContainer(['image']),
  },
  { pattern: /ErrImageNeverPull/, paths: inContainer(['imagePullPolicy']) },
  {
    pattern: /find key (\S+) in (ConfigMap|Secret) (?:[\w-]+\/)?([\w.-]+)/,
    paths: (place, [, key, kind = '', name = '']) => references(place, { kind, name, key }),
  },
  {
    pattern: /\b(configmap|secret) "([^"]+)" not found/,
    paths: (place, [, kind = '', name = '']) => references(place, { kind, name }),
  },
  {
    pattern: /also missing: (.*)/,
    paths: (place, [, list = '']) =>
      list.split(', ').flatMap((text) => {
        const [, key, kind = '', name = ''] = /^(?:key (\S+) of )?(ConfigMap|Secret)\/([\w.-]+)$/.exec(text) ?? [];
        return references(place, { kind, name, key });
      }),
  },
  {
    pattern: /references non-existent config key: ([\w.-]+)/,
    paths: ({ spec }, [, key]) => leavesOf(spec, ['volumes']).filter((path) => valueAtPath(spec, path) === key),
  },
  { pattern: /serviceaccount "[^"]*" not found/, paths: inPod(['serviceAccountName'], ['serviceAccount']) },
  { pattern: /no PriorityClass with name/, paths: inPod(['priorityClassName']) },
  { pattern: /OOMKilled/, paths: inContainer(['resources', 'limits', 'memory']) },
  {
    pattern: /Insufficient ([\w./-]*\w)|exceeded quota: [^,]*, requested: (?:requests\.|limits\.)?([\w./-]+)=/,
    paths: (place, [, lacking, overQuota]) => askedOf(place, lacking ?? overQuota ?? ''),
  },
  {
    pattern: /must specify|(?:maximum|minimum) (?:cpu|memory|ephemeral-storage) usage per/,
    paths: inContainer(['resources']),
  },
  { pattern: /node affinity\/selector|node selector/, paths: inPod(['nodeSelector'], ['affinity', 'nodeAffinity']) },
  { pattern: /untolerated taint/, paths: inPod(['tolerations']) },
  { pattern: /pod (?:anti-)?affinity/, paths: inPod(['affinity']) },
  { pattern: /topology spread constraints/, paths: inPod(['topologySpreadConstraints']) },
  {
    // What answers 5xx is what it was asked: the probe is innocent.
    pattern: /(Liveness|Readiness|Startup) probe (?:failed(?!: HTTP probe failed with statuscode: 5)|errored)/,
    paths: (place, [, kind = '']) => probePaths(place, `${kind.toLowerCase()}Probe`),
  },
  {
    pattern:
      /StartError|ContainerCannotRun|RunContainerError|unable to start container process|executable file not found/,
    paths: inContainer(['command'], ['args'], ['image']),
  },
  {
    pattern: /its volume (\S+) is mounted at (\S+) with readOnly: true/,
    paths: ({ spec, container }, [, , mountPath]) =>
      container.flatMap((way) =>
        listOf(valueAtPath(spec, [...way, 'volumeMounts']) as readonly Fields[]).flatMap((mount, index) =>
          mount['mountPath'] === mountPath ? [[...way, 'volumeMounts', index, 'readOnly']] : [],
        ),
      ),
  },
  { pattern: /readOnlyRootFilesystem is true/, paths: inContainer(['securityContext', 'readOnlyRootFilesystem']) },
  {
    pattern: /runAsNonRoot|non-root/,
    paths: (place) => [
      ...inContainer(['securityContext', 'runAsUser'], ['securityContext', 'runAsNonRoot'])(place),
      ['securityContext', 'runAsUser'],
      ['securityContext', 'runAsNonRoot'],
    ],
  },
  // A policy names what it refuses: a container and its image, a label's value.
  {
    pattern: /denied the request|violates PodSecurity|is forbidden: violates/,
    paths: ({ spec, words }) => {
      const quoted = new Set([...words.matchAll(/["'`]([^"'`\s]+)["'`]/g)].map(([, word]) => word));
      const named = leavesOf(spec).filter((path) => quoted.has(String(valueAtPath(spec, path))));
      const values = named.filter((path) => path.at(-1) !== 'name');
      return values.length > 0 ? values : named;
    },
  },
];

/** Of the object around the pods. */
const ownRules: readonly { readonly pattern: RegExp; readonly path: FieldPath }[] = [
  { pattern: /exceeded quota: /, path: ['spec', 'replicas'] },
  { pattern: /DeadlineExceeded: Job was active longer/, path: ['spec', 'activeDeadlineSeconds'] },
];

interface Reference {
  readonly kind: string;
  readonly name: string;
  readonly key?: string | undefined;
}

const holders: Readonly<Record<string, readonly string[]>> = {
  configmap: ['configMapKeyRef', 'configMapRef', 'configMap'],
  secret: ['secretKeyRef', 'secretRef', 'secret', 'imagePullSecrets'],
};

/** Where a pod names a ConfigMap or Secret, or a key of it. */
function references({ spec }: Place, { kind, name, key }: Reference): readonly FieldPath[] {
  const wanted = holders[kind.toLowerCase()] ?? [];
  return leavesOf(spec).filter((path) => {
    const last = path.at(-1);
    const isOfKind = path.some((part) => wanted.includes(String(part)));
    if (!isOfKind) return false;
    if (key === undefined) return ['name', 'secretName'].includes(String(last)) && valueAtPath(spec, path) === name;
    const holder = valueAtPath(spec, path.slice(0, -1)) as Fields;
    return last === 'key' && holder['key'] === key && holder['name'] === name;
  });
}

/** What containers ask for of a resource; limits stand in for requests that are not given. */
function askedOf(place: Place, resource: string): readonly FieldPath[] {
  const kinds = /requested: limits\./.test(place.words) ? ['limits', 'requests'] : ['requests', 'limits'];
  return place.container.flatMap((way) => {
    const path = kinds
      .map((kind) => [...way, 'resources', kind, resource])
      .find((one) => valueAtPath(place.spec, one) !== undefined);
    return path === undefined ? [] : [path];
  });
}

/** Of a probe that killed a program its patience, of one that was answered what it asks for. */
function probePaths({ spec, container, words }: Place, probe: string): readonly FieldPath[] {
  const ways = container.map((way) => [...way, probe]);
  if (words.includes('killed after'))
    return ways.map((way) => {
      const delay = [...way, 'initialDelaySeconds'];
      return valueAtPath(spec, delay) === undefined ? way : delay;
    });
  const asked = words.includes('statuscode') ? ['httpGet', 'path'] : ['httpGet', 'port'];
  return ways.flatMap((way) => [
    [...way, ...asked],
    [...way, 'tcpSocket', 'port'],
    [...way, 'exec'],
    [...way, 'grpc'],
  ]);
}

/** A claim's class is in its own object, or in the template of a StatefulSet; one that is missing is named by the pod. */
function claimFields(
  claim: string,
  { reason }: Finding,
  one: PlanObject,
  objects: readonly PlanObject[],
): readonly ObjectField[] {
  const template = podTemplateOf(one.object);
  if (/it does not exist/.test(reason) && template !== undefined)
    return leavesOf(template.spec, ['volumes'])
      .filter((path) => path.at(-1) === 'claimName' && valueAtPath(template.spec, path) === claim)
      .map((path) => ({ object: one, path: [...template.path, ...path] }));
  const own = objects.find(
    ({ object: { kind, metadata } }) => kind === 'PersistentVolumeClaim' && metadata.name === claim,
  );
  const templates = listOf(valueAtPath(one.object, ['spec', 'volumeClaimTemplates']) as readonly KubernetesObject[]);
  const index = templates.findIndex((template) =>
    claim.startsWith(`${String(valueAtPath(template, ['metadata', 'name']))}-`),
  );
  const [object, way] = own ? [own, []] : [one, ['spec', 'volumeClaimTemplates', index]];
  if (own === undefined && index < 0) return [];
  const paths = [
    [...way, 'spec', 'storageClassName'],
    [...way, 'spec'],
  ];
  return paths
    .filter((path) => valueAtPath(object.object, path) !== undefined)
    .slice(0, 1)
    .map((path) => ({ object, path }));
}

/** The ways to all texts and numbers, from `start`. */
export function leavesOf(from: unknown, start: FieldPath = []): readonly FieldPath[] {
  const value = valueAtPath(from, start);
  if (typeof value !== 'object' || value === null) return value === undefined ? [] : [start];
  const keys = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  return keys.flatMap((key) => leavesOf(from, [...start, key]));
}
