import type { Json } from '../../support/json.ts';
import { compact } from '../../support/json.ts';
import { applyDefaults } from '../defaults/defaults.ts';
import { hasStatus, type Kind, storageKey } from '../kinds/kind.ts';
import { encodeManagers, managersAfterUpdate, resetFields } from '../patches/managed-fields.ts';
import { type Metadata, type Resource, timestamp } from '../resource.ts';
import { alreadyExists, badRequest, forbidden, invalid, notFound, StatusError } from '../status.ts';
import { validateNew } from '../validation/validate.ts';
import { admitByPolicies } from './admission/by-policies.ts';
import { admitByLimits } from './admission/limits.ts';
import { admitPod } from './admission/pod.ts';
import { admitByPodSecurity } from './admission/pod-security/pod-security.ts';
import { admitByQuotas } from './admission/quota.ts';
import { decodeObject } from './decode.ts';
import { type Collection, checkOf, type Environment, type WriteOptions } from './environment.ts';
import { suffixFrom, uidFrom } from './ids.ts';
import { prepareNew } from './prepare.ts';
import { writerOf } from './writer.ts';

/** POST: a new object from a request body. */
export function createObject(
  environment: Environment,
  { kind, namespace }: Collection,
  body: Json,
  options: WriteOptions,
): Resource {
  const decoded = decodeObject(kind, body, options);
  const placed = inNamespace(kind, decoded, namespace);
  const object = applyDefaults(kind, placed);
  const managers = managersAfterUpdate(
    { type: kind.type(), before: undefined, after: object },
    new Map(),
    writerOf(environment, kind, options),
    resetFields(hasStatus(kind), ''),
  );
  return storeNew(environment, kind, withManagers(object, encodeManagers(managers)), options);
}

const withManagers = (object: Resource, managedFields: Metadata['managedFields']): Resource => ({
  ...object,
  metadata: { ...object.metadata, ...(managedFields?.length === 0 ? {} : { managedFields }) },
});

/** The request's namespace is the object's; the body may say the same, or nothing. */
export function inNamespace(kind: Kind, object: Resource, namespace: string | undefined): Resource {
  const given = object.metadata.namespace;
  if (!kind.namespaced) {
    const { namespace: _, ...metadata } = object.metadata;
    return given === undefined ? object : { ...object, metadata };
  }
  if (given !== undefined && given !== '' && given !== namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
  return { ...object, metadata: { ...object.metadata, namespace } };
}

/** Admits, completes, checks and stores an object whose managed fields are already right. */
export function storeNew(environment: Environment, kind: Kind, object: Resource, options: WriteOptions): Resource {
  const { store } = environment;
  if (kind.namespaced) admitNamespace(environment, kind, object);
  if (object.metadata.resourceVersion !== undefined && object.metadata.resourceVersion !== '') {
    throw new StatusError(500, '', 'resourceVersion should not be set on objects to be created');
  }
  const key = storageKey(kind);
  const admitted = admit(environment, kind, withIdentity(environment, kind, object));
  const complete = prepareNew(environment, kind, admitted);
  const problems = validateNew(kind, complete, checkOf(environment, options));
  const { name, namespace } = complete.metadata;
  if (problems.length > 0) throw invalid(kind, name ?? '', problems);
  const { subresource = '', warn } = options;
  admitByPodSecurity(environment, { kind, object: complete, old: undefined, subresource, warn });
  admitByPolicies(environment, { operation: 'CREATE', kind, object: complete, oldObject: undefined }, options);
  if (store.get(key, namespace, name) !== undefined) throw alreadyExists(kind, name);
  if (kind.namespaced) admitByQuotas(environment, kind, complete);
  return options.dryRun === true ? complete : store.put(key, complete);
}

/** What admission changes in a new object before its kind's rules are asked. */
function admit(environment: Environment, kind: Kind, object: Resource): Resource {
  if (kind.group !== '') return object;
  if (kind.kind === 'PersistentVolumeClaim') return admitByLimits(environment, kind, object);
  return kind.kind === 'Pod' ? admitByLimits(environment, kind, admitPod(environment, kind, object)) : object;
}

function admitNamespace({ store }: Environment, kind: Kind, object: Resource): void {
  const name = object.metadata.namespace ?? '';
  const namespace = store.get('/namespaces', undefined, name);
  if (namespace === undefined) throw notFound({ group: '', plural: 'namespaces', kind: 'Namespace' }, name);
  if (namespace.metadata.deletionTimestamp !== undefined) {
    throw new StatusError(
      403,
      'Forbidden',
      forbidden(
        kind,
        object.metadata.name,
        `unable to create new content in namespace ${name} because it is being terminated`,
      ).message,
      {
        name: object.metadata.name,
        kind: kind.plural,
        causes: [
          {
            reason: 'NamespaceTerminating',
            message: `namespace ${name} is being terminated`,
            field: 'metadata.namespace',
          },
        ],
      },
    );
  }
}

function withIdentity({ store, clock }: Environment, kind: Kind, object: Resource): Resource {
  const { generateName, name: given, ...rest } = object.metadata;
  const seed = `${storageKey(kind)}/${object.metadata.namespace ?? ''}/${store.revision}`;
  const generated = given === undefined || given === '' ? generateName : undefined;
  const name = generated === undefined ? given : `${generated.slice(0, 58)}${suffixFrom(`${seed}/${generated}`)}`;
  const metadata = compact({
    name,
    generateName,
    ...rest,
    uid: uidFrom(`${seed}/${name}`),
    creationTimestamp: timestamp(clock.now()),
    deletionTimestamp: undefined,
    deletionGracePeriodSeconds: undefined,
    selfLink: undefined,
    resourceVersion: undefined,
    generation: kind.countsGenerations ? 1 : undefined,
  }) as Metadata;
  return { ...object, metadata };
}
