import { isJsonObject, type Json, type JsonObject, objectAt, objectsIn, textMap, textOf } from '../../support/json.ts';

/** `object` with the defaults for the keys that it does not have. */
export function withDefaults(object: JsonObject | undefined, defaults: JsonObject): JsonObject {
  const result: JsonObject = { ...object };
  for (const [key, value] of Object.entries(defaults)) if (result[key] === undefined) result[key] = value;
  return result;
}

/** A pod template; jobs have no default restart policy. */
export function defaultPodTemplate(
  template: Json | undefined,
  restartPolicy: 'Always' | 'none' = 'Always',
): JsonObject {
  const given = isJsonObject(template) ? template : {};
  return {
    ...given,
    metadata: objectAt(given, 'metadata') ?? {},
    spec: defaultPodSpec(objectAt(given, 'spec') ?? {}, { restartPolicy }),
  };
}

export function defaultPodSpec(
  spec: JsonObject,
  { restartPolicy = 'Always', isPod = false }: { restartPolicy?: 'Always' | 'none'; isPod?: boolean },
): JsonObject {
  const account = textOf(spec.serviceAccountName);
  return {
    ...withDefaults(spec, {
      ...(restartPolicy === 'none' ? {} : { restartPolicy }),
      dnsPolicy: 'ClusterFirst',
      schedulerName: 'default-scheduler',
      securityContext: {},
      terminationGracePeriodSeconds: 30,
      ...(account === undefined ? {} : { serviceAccount: account }),
      ...(isPod ? { enableServiceLinks: true } : {}),
    }),
    ...(spec.containers === undefined
      ? {}
      : { containers: objectsIn(spec.containers).map((each) => defaultContainer(each, isPod)) }),
    ...(spec.initContainers === undefined
      ? {}
      : { initContainers: objectsIn(spec.initContainers).map((each) => defaultContainer(each, isPod)) }),
    ...(spec.volumes === undefined ? {} : { volumes: objectsIn(spec.volumes).map(defaultVolume) }),
  };
}

/** Requests default to the limits in pods only: a template keeps what it says. */
function defaultContainer(container: JsonObject, isPod: boolean): JsonObject {
  const limits = textMap(objectAt(container, 'resources')?.limits);
  const requests = objectAt(container, 'resources')?.requests;
  return {
    ...withDefaults(container, {
      imagePullPolicy: pullPolicy(textOf(container.image) ?? ''),
      terminationMessagePath: '/dev/termination-log',
      terminationMessagePolicy: 'File',
    }),
    resources: {
      ...objectAt(container, 'resources'),
      ...(!isPod || Object.keys(limits).length === 0 ? {} : { requests: { ...limits, ...textMap(requests) } }),
    },
    ...(container.ports === undefined
      ? {}
      : { ports: objectsIn(container.ports).map((port) => withDefaults(port, { protocol: 'TCP' })) }),
    ...(container.env === undefined ? {} : { env: objectsIn(container.env).map(defaultEnv) }),
    ...probes(container),
  };
}

function pullPolicy(image: string): string {
  const tag = /:([^:/@]+)$/.exec(image.split('@')[0] as string)?.[1];
  return image.includes('@') || (tag !== undefined && tag !== 'latest') ? 'IfNotPresent' : 'Always';
}

function defaultEnv(variable: JsonObject): JsonObject {
  const field = objectAt(variable, 'valueFrom', 'fieldRef');
  if (field === undefined) return variable;
  return {
    ...variable,
    valueFrom: { ...objectAt(variable, 'valueFrom'), fieldRef: withDefaults(field, { apiVersion: 'v1' }) },
  };
}

const probeDefaults = { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 };

function probes(container: JsonObject): JsonObject {
  const result: JsonObject = {};
  for (const name of ['livenessProbe', 'readinessProbe', 'startupProbe']) {
    const probe = objectAt(container, name);
    if (probe === undefined) continue;
    const get = objectAt(probe, 'httpGet');
    result[name] = {
      ...withDefaults(probe, probeDefaults),
      ...(get === undefined ? {} : { httpGet: withDefaults(get, { path: '/', scheme: 'HTTP' }) }),
    };
  }
  return result;
}

const modeDefault: Readonly<Record<string, JsonObject>> = {
  configMap: { defaultMode: 420 },
  secret: { defaultMode: 420 },
  projected: { defaultMode: 420 },
  downwardAPI: { defaultMode: 420 },
  hostPath: { type: '' },
};

function defaultVolume(volume: JsonObject): JsonObject {
  for (const [source, defaults] of Object.entries(modeDefault)) {
    const given = objectAt(volume, source);
    if (given === undefined) continue;
    const sources = source === 'projected' ? { sources: objectsIn(given.sources).map(defaultProjection) } : {};
    return { ...volume, [source]: { ...withDefaults(given, defaults), ...sources } };
  }
  return Object.keys(volume).length === 1 ? { ...volume, emptyDir: {} } : volume;
}

function defaultProjection(source: JsonObject): JsonObject {
  const token = objectAt(source, 'serviceAccountToken');
  if (token === undefined) return source;
  return { ...source, serviceAccountToken: withDefaults(token, { expirationSeconds: 3600 }) };
}
