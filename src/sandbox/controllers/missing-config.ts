import { objectAt, objectsIn } from '../../support/json.ts';
import type { Container } from '../kubernetes.ts';
import type { Resource } from '../resource.ts';
import type { ControllerContext } from './context.ts';

interface Reference {
  readonly kind: 'ConfigMap' | 'Secret';
  readonly name: string;
  /** Undefined: all of it. */
  readonly key: string | undefined;
}

/** What a container's environment asks for and is not there, in the kubelet's words; where all is there, the first of it. */
export function missingConfig(context: ControllerContext, pod: Resource, container: Container): string {
  const { namespace = '' } = pod.metadata;
  const references = [...referencesOf(container), ...volumesOf(pod)];
  const texts = references.map((reference) => missingText(context, namespace, reference));
  const [first = { kind: 'ConfigMap', name: `${container.name}-config`, key: undefined } as const] = references;
  return texts.find((text) => text !== undefined) ?? notFound(first);
}

function referencesOf({ env = [], envFrom = [] }: Container): Reference[] {
  return [
    ...env.flatMap(({ valueFrom }) => [
      ...referenceIn('ConfigMap', valueFrom?.configMapKeyRef),
      ...referenceIn('Secret', valueFrom?.secretKeyRef),
    ]),
    ...envFrom.flatMap((source) => [
      ...referenceIn('ConfigMap', source.configMapRef),
      ...referenceIn('Secret', source.secretRef),
    ]),
  ];
}

const volumesOf = (pod: Resource): Reference[] =>
  objectsIn(objectAt(pod, 'spec')?.volumes).flatMap((volume) => [
    ...referenceIn('ConfigMap', named(objectAt(volume, 'configMap')?.name)),
    ...referenceIn('Secret', named(objectAt(volume, 'secret')?.secretName)),
  ]);

const named = (name: unknown) => (typeof name === 'string' ? { name } : undefined);

const referenceIn = (
  kind: Reference['kind'],
  at: { readonly name?: string | undefined; readonly key?: string | undefined } | undefined,
): Reference[] => (at === undefined ? [] : [{ kind, name: at.name ?? '', key: at.key }]);

function missingText(context: ControllerContext, namespace: string, reference: Reference): string | undefined {
  const { kind, name, key } = reference;
  const object = context.environment.store.get(`/${kind.toLowerCase()}s`, namespace, name);
  if (object === undefined) return notFound(reference);
  if (key === undefined || objectAt(object, 'data')?.[key] !== undefined) return undefined;
  return `couldn't find key ${key} in ${kind} ${namespace}/${name}`;
}

const notFound = ({ kind, name }: Reference): string => `${kind.toLowerCase()} "${name}" not found`;
