import { type JsonObject, objectAt, objectsIn, plain } from '../json.ts';
import type { Resource } from '../resource.ts';
import type { ControllerContext } from './context.ts';

interface Reference {
  readonly kind: 'ConfigMap' | 'Secret';
  readonly name: string;
  /** Undefined: all of it. */
  readonly key: string | undefined;
}

/** What a container's environment asks for and is not there, in the kubelet's words; where all is there, the first of it. */
export function missingConfig(context: ControllerContext, pod: Resource, container: JsonObject): string {
  const { namespace = '' } = pod.metadata;
  const references = referencesOf(container);
  const texts = references.map((reference) => missingText(context, namespace, reference));
  const [first = { kind: 'ConfigMap', name: `${plain(container.name)}-config`, key: undefined } as const] = references;
  return texts.find((text) => text !== undefined) ?? notFound(first);
}

function referencesOf(container: JsonObject): Reference[] {
  const sources = [
    ...objectsIn(container.env).map((variable) => objectAt(variable, 'valueFrom') ?? {}),
    ...objectsIn(container.envFrom),
  ];
  return sources.flatMap((source) => [
    ...referenceIn('ConfigMap', objectAt(source, 'configMapKeyRef') ?? objectAt(source, 'configMapRef')),
    ...referenceIn('Secret', objectAt(source, 'secretKeyRef') ?? objectAt(source, 'secretRef')),
  ]);
}

const referenceIn = (kind: Reference['kind'], at: JsonObject | undefined): Reference[] =>
  at === undefined ? [] : [{ kind, name: plain(at.name), key: at.key === undefined ? undefined : plain(at.key) }];

function missingText(context: ControllerContext, namespace: string, reference: Reference): string | undefined {
  const { kind, name, key } = reference;
  const object = context.environment.store.get(`/${kind.toLowerCase()}s`, namespace, name);
  if (object === undefined) return notFound(reference);
  if (key === undefined || objectAt(object, 'data')?.[key] !== undefined) return undefined;
  return `couldn't find key ${key} in ${kind} ${namespace}/${name}`;
}

const notFound = ({ kind, name }: Reference): string => `${kind.toLowerCase()} "${name}" not found`;
