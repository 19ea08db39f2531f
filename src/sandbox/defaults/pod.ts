import {
  isJsonObject,
  type Json,
  type JsonObject,
  objectAt,
  objectsIn,
  textMap,
  textOf,
  without,
} from '../../support/json.ts';

/** Fields that are pointers in Go: an empty text there is a value of its own, which the validation then judges. */
const pointers = new Set([
  'completionMode',
  'failurePolicy',
  'internalTrafficPolicy',
  'matchPolicy',
  'podReplacementPolicy',
  'preemptionPolicy',
  'scope',
  'volumeBindingMode',
  'volumeMode',
]);

/** `object` with the defaults for the keys that it does not have; to Go, an empty text is as good as none. */
export function withDefaults(object: JsonObject | undefined, defaults: JsonObject): JsonObject {
  const result: JsonObject = { ...object };
  for (const [key, value] of Object.entries(defaults))
    if (result[key] === undefined || (result[key] === '' && !pointers.has(key))) result[key] = value;
  return result;
}

type Change = (member: JsonObject) => JsonObject;

/** `object` with the members under these keys changed, of lists each item; what is not there stays away. */
export function withChanged(object: JsonObject, changes: Readonly<Record<string, Change>>): JsonObject {
  const result: JsonObject = { ...object };
  for (const [key, change] of Object.entries(changes)) {
    const member = result[key];
    if (Array.isArray(member)) result[key] = objectsIn(member).map(change);
    else if (isJsonObject(member)) result[key] = change(member);
  }
  return result;
}

/** What gives a member these defaults. */
export const defaulting =
  (defaults: JsonObject): Change =>
  (member) =>
    withDefaults(member, defaults);

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
  const container: Change = (each) => defaultContainer(each, isPod);
  const defaults = {
    ...(restartPolicy === 'none' ? {} : { restartPolicy }),
    dnsPolicy: 'ClusterFirst',
    schedulerName: 'default-scheduler',
    securityContext: {},
    terminationGracePeriodSeconds: 30,
    ...(account === undefined ? {} : { serviceAccount: account }),
    ...(isPod ? { enableServiceLinks: true } : {}),
  };
  const changes = { containers: container, initContainers: container, volumes: defaultVolume };
  return withChanged(withDefaults(spec, defaults), changes);
}

/** Requests default to the limits in pods only: a template keeps what it says. */
function defaultContainer(container: JsonObject, isPod: boolean): JsonObject {
  const limits = textMap(objectAt(container, 'resources')?.limits);
  const requests = objectAt(container, 'resources')?.requests;
  const defaults = {
    imagePullPolicy: pullPolicy(textOf(container.image) ?? ''),
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
  };
  const resources = {
    ...objectAt(container, 'resources'),
    ...(!isPod || Object.keys(limits).length === 0 ? {} : { requests: { ...limits, ...textMap(requests) } }),
  };
  return withChanged({ ...withDefaults(container, defaults), resources }, containerChanges);
}

function pullPolicy(image: string): string {
  const tag = /:([^:/@]+)$/.exec(image.split('@')[0] as string)?.[1];
  return image.includes('@') || (tag !== undefined && tag !== 'latest') ? 'IfNotPresent' : 'Always';
}

const defaultEnv: Change = (variable) =>
  withChanged(variable, { valueFrom: (source) => withChanged(source, { fieldRef: defaulting({ apiVersion: 'v1' }) }) });

const probeDefaults = { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 };

const defaultHandler: Change = (handler) =>
  withChanged(handler, { httpGet: defaulting({ path: '/', scheme: 'HTTP' }) });

const defaultProbe: Change = (probe) => {
  const zeros = Object.keys(probeDefaults).filter((name) => probe[name] === 0);
  return defaultHandler(withDefaults(without(probe, ...zeros), probeDefaults));
};

const containerChanges = {
  lifecycle: (hooks: JsonObject) => withChanged(hooks, { postStart: defaultHandler, preStop: defaultHandler }),
  ports: defaulting({ protocol: 'TCP' }),
  env: defaultEnv,
  livenessProbe: defaultProbe,
  readinessProbe: defaultProbe,
  startupProbe: defaultProbe,
};

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
    return { ...volume, [source]: withChanged(withDefaults(given, defaults), { sources: defaultProjection }) };
  }
  return Object.keys(volume).length === 1 ? { ...volume, emptyDir: {} } : volume;
}

const defaultProjection: Change = (source) =>
  withChanged(source, { serviceAccountToken: defaulting({ expirationSeconds: 3600 }) });
