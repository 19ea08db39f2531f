import { type FieldPath, valueAtPath } from '../../manifest/field-path.ts';
import { referencesOf } from '../../manifest/references.ts';
import { hostIn } from '../../support/host-in-text.ts';
import { isObject } from '../../support/json.ts';
import { type Item, type ObjectIndex, podPathOf } from '../derived/object-index.ts';
import { roleEvidence } from './roles.ts';
import type { Evidence, Text } from './types.ts';

/** What the workloads of a release say of each other: hosts of Services in what they read, and their roles. */
export function evidenceIn(objects: ObjectIndex, namespace: string): readonly Evidence[] {
  const workloads = objects.all.filter(({ id }) => workloadKinds.has(id.kind));
  const services = objects.all
    .filter(({ id }) => id.kind === 'Service')
    .map((service) => ({
      service,
      behind: objects.workloadsBehind(service).filter(({ id }) => workloadKinds.has(id.kind)),
    }));
  const hosts = workloads.flatMap((user) =>
    textsOf(user, objects).flatMap((text) =>
      services.flatMap(({ service, behind }) => {
        const word = hostIn(text, { name: service.id.name, namespace: service.id.namespace || namespace });
        return word === undefined
          ? []
          : meantIn(text, service.id.name, behind).flatMap((needed) => hostEvidence(user, needed, text, word));
      }),
    ),
  );
  return [...hosts, ...roleEvidence(workloads, hosts)];
}

const workloadKinds = new Set(['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet', 'Job', 'Pod']);

/**
 * `db-0.db-headless` is a pod of one StatefulSet, and `$(POD_NAME).db-headless` is the user's own; any other text means all
 * that is behind the Service.
 */
function meantIn({ value }: Text, service: string, behind: readonly Item[]): readonly Item[] {
  const pods = value
    .split(`.${service}`)
    .slice(0, -1)
    .map((before) => podBefore.exec(before)?.[0] ?? '');
  if (pods.length === 0 || value.split(service).length - 1 > pods.length) return behind;
  const literal = pods.filter((pod) => !pod.startsWith('$'));
  const ofPod = (pod: string) =>
    behind.filter(({ id }) => id.kind === 'StatefulSet' && id.name === pod.replace(/-\d+$/, '') && id.name !== pod);
  return literal.some((pod) => ofPod(pod).length === 0) ? behind : [...new Set(literal.flatMap(ofPod))];
}

const podBefore = /(?:[\w-]+|\$\(\w+\)|\$\{\w+\})$/;

const hostEvidence = (user: Item, needed: Item, text: Text, word: string): readonly Evidence[] =>
  user.manifest === needed.manifest
    ? []
    : [
        {
          user,
          needed,
          holder: text.holder,
          path: text.path,
          word,
          text: `names ${word} in ${text.place}`,
          isWaitedFor: text.isOfInit,
        },
      ];

/** The items of a list of an object, each with the way to it. */
const itemsAt = ({ object }: Item, path: FieldPath): readonly FieldPath[] => {
  const list = valueAtPath(object, path);
  return Array.isArray(list) ? list.map((_item, index) => [...path, index]) : [];
};

function textsOf(user: Item, objects: ObjectIndex): readonly Text[] {
  const pod = podPathOf(user);
  return [
    ...itemsAt(user, [...pod, 'initContainers']).flatMap((path) => containerTexts(user, path, true)),
    ...itemsAt(user, [...pod, 'containers']).flatMap((path) => containerTexts(user, path, false)),
    ...fileTexts(user, objects),
  ];
}

function containerTexts(user: Item, path: FieldPath, isOfInit: boolean): readonly Text[] {
  const read = (at: FieldPath): string => {
    const value = valueAtPath(user.object, at);
    return typeof value === 'string' ? value : '';
  };
  const where = `${isOfInit ? 'init container' : 'container'} ${read([...path, 'name'])}`;
  const common = { holder: user, isOfInit };
  return [
    ...itemsAt(user, [...path, 'env']).map((one) => {
      const key = read([...one, 'name']);
      return {
        ...common,
        path: [...one, 'value'],
        key,
        place: `env ${key} of ${where}`,
        value: read([...one, 'value']),
      };
    }),
    ...['command', 'args'].flatMap((field) =>
      itemsAt(user, [...path, field]).map((one) => ({
        ...common,
        path: one,
        key: '',
        place: `${field} of ${where}`,
        value: read(one),
      })),
    ),
  ];
}

/** What ConfigMaps and Secrets of the release hold that the pods mount or read; of those read by a key, that key. */
function fileTexts(user: Item, objects: ObjectIndex): readonly Text[] {
  const seen = new Set<string>();
  return referencesOf(user, true)
    .filter(({ id }) => id.kind === 'ConfigMap' || id.kind === 'Secret')
    .flatMap(({ id, key }) =>
      objects.named(id).flatMap((holder) => dataTexts(holder).filter((text) => key === undefined || text.key === key)),
    )
    .filter(({ place }) => !seen.has(place) && seen.add(place) !== undefined);
}

const dataTexts = (holder: Item): readonly Text[] =>
  ['data', 'stringData'].flatMap((field) => {
    const data = holder.object[field];
    if (!isObject(data)) return [];
    const isEncoded = field === 'data' && holder.id.kind === 'Secret';
    return Object.entries(data).map(([key, value]) => ({
      holder,
      path: [field, key],
      key,
      place: `${key} of ${holder.id.kind} ${holder.id.name}`,
      value: isEncoded ? Buffer.from(String(value), 'base64').toString() : String(value),
      isOfInit: false,
    }));
  });
