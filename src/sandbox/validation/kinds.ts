import { configKeyProblem, dns1123SubdomainProblem } from '../../kinds/names.ts';
import { isJsonObject, type JsonObject, numberOf, objectAt, objectsIn, textMap, textOf } from '../../support/json.ts';
import { trimPrefix } from '../../support/text.ts';
import type { Resource } from '../resource.ts';
import { duplicate, type FieldProblem, required, tooLong } from '../status.ts';
import { invalidIf, invalidText, problemsOfEach, requiredIf, requiredTexts, unsupportedUnless } from './checks.ts';
import { podSpecProblems, podTemplateProblems, templateProblems } from './pod.ts';

type Rule = (object: Resource) => FieldProblem[];

const specOf = (object: Resource): JsonObject => objectAt(object, 'spec') ?? {};

function notNegative(spec: JsonObject, path: string, ...fields: readonly string[]): FieldProblem[] {
  return fields.flatMap((field) => {
    const isNegative = (numberOf(spec[field]) ?? 0) < 0;
    return invalidIf(isNegative, `${path}.${field}`, spec[field], 'must be greater than or equal to 0');
  });
}

const workload: Rule = (object) => {
  const spec = specOf(object);
  const policy = objectAt(spec, 'template', 'spec')?.restartPolicy ?? 'Always';
  return [
    ...notNegative(spec, 'spec', 'replicas', 'minReadySeconds', 'revisionHistoryLimit'),
    ...templateProblems(spec, 'spec'),
    ...unsupportedUnless(policy, 'spec.template.spec.restartPolicy', 'Always'),
  ];
};

const jobCounts = ['parallelism', 'completions', 'backoffLimit', 'activeDeadlineSeconds', 'ttlSecondsAfterFinished'];

const jobTemplate = (spec: JsonObject, path: string): FieldProblem[] => {
  const policy = objectAt(spec, 'template', 'spec')?.restartPolicy ?? 'Always';
  const place = `${path}.template.spec.restartPolicy`;
  return [
    ...notNegative(spec, path, ...jobCounts),
    ...podTemplateProblems(objectAt(spec, 'template'), `${path}.template`),
    ...requiredIf(policy === 'Always', place, 'valid values: "OnFailure", "Never"'),
  ];
};

const cronJob: Rule = (object) => {
  const spec = specOf(object);
  const schedule = textOf(spec.schedule) ?? '';
  const bare = schedule.replace(/^(CRON_TZ|TZ)=\S+\s+/, '');
  const fields = bare.split(/\s+/).filter(Boolean);
  const isCounted = schedule !== '' && !schedule.startsWith('@');
  const detail = `expected exactly 5 fields, found ${fields.length}: [${fields.join(' ')}]`;
  return [
    ...requiredTexts(spec, 'spec', 'schedule'),
    ...invalidIf(isCounted && fields.length !== 5, 'spec.schedule', schedule, detail),
    ...jobTemplate(objectAt(spec, 'jobTemplate', 'spec') ?? {}, 'spec.jobTemplate.spec'),
  ];
};

const service: Rule = (object) => {
  const spec = specOf(object);
  const types = unsupportedUnless(spec.type, 'spec.type', 'ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort');
  if (spec.type === 'ExternalName') return [...types, ...requiredTexts(spec, 'spec', 'externalName')];
  const count = objectsIn(spec.ports).length;
  const names = new Set<unknown>();
  const ports = problemsOfEach(spec.ports, 'spec.ports', ({ name, port }, at) => {
    const isTwice = name !== undefined && names.has(name);
    names.add(name);
    const isPort = typeof port === 'number' && port >= 1 && port <= 65535;
    return [
      ...(count > 1 ? requiredTexts({ name }, at, 'name') : []),
      ...(isTwice ? [duplicate(`${at}.name`, name)] : []),
      ...invalidIf(!isPort, `${at}.port`, port ?? 0, 'must be between 1 and 65535, inclusive'),
    ];
  });
  return [...types, ...requiredIf(count === 0 && spec.clusterIP !== 'None', 'spec.ports'), ...ports];
};

const dataKeys = (object: Resource, ...fields: readonly string[]): FieldProblem[] =>
  fields.flatMap((field) =>
    Object.keys(textMap(object[field])).flatMap((key) => invalidText(`${field}[${key}]`, key, configKeyProblem(key))),
  );

const maxDataBytes = 1024 * 1024;

const secretKeys: Readonly<Record<string, readonly string[]>> = {
  'kubernetes.io/tls': ['tls.crt', 'tls.key'],
  'kubernetes.io/dockerconfigjson': ['.dockerconfigjson'],
  'kubernetes.io/dockercfg': ['.dockercfg'],
  'kubernetes.io/ssh-auth': ['ssh-privatekey'],
};

const secret: Rule = (object) => {
  const data = textMap(object.data);
  const wanted = secretKeys[textOf(object.type) ?? ''] ?? [];
  const bytes = Object.values(data).reduce((sum, text) => sum + Math.floor((text.length * 3) / 4), 0);
  return [
    ...dataKeys(object, 'data'),
    ...wanted.flatMap((key) => requiredIf(data[key] === undefined, `data[${key}]`)),
    ...(bytes > maxDataBytes ? [tooLong('data', maxDataBytes)] : []),
  ];
};

const configMap: Rule = (object) => {
  const texts = [object.data, object.binaryData].flatMap((data) => Object.values(textMap(data)));
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const problems = dataKeys(object, 'data', 'binaryData');
  return bytes > maxDataBytes ? [...problems, tooLong('', maxDataBytes)] : problems;
};

const claim: Rule = (object) => {
  const { accessModes, resources } = specOf(object);
  const hasMode = Array.isArray(accessModes) && accessModes.length > 0;
  const { storage } = textMap(isJsonObject(resources) ? resources.requests : undefined);
  return [
    ...requiredIf(!hasMode, 'spec.accessModes', 'at least 1 access mode is required'),
    ...requiredIf(storage === undefined, 'spec.resources[storage]'),
  ];
};

const ingress: Rule = (object) => {
  const spec = specOf(object);
  const isEmpty = objectsIn(spec.rules).length === 0 && spec.defaultBackend === undefined;
  return [
    ...invalidIf(isEmpty, 'spec', undefined, 'either `defaultBackend` or `rules` must be specified'),
    ...problemsOfEach(spec.rules, 'spec.rules', ingressRule),
  ];
};

function ingressRule(rule: JsonObject, path: string): FieldProblem[] {
  const host = textOf(rule.host) ?? '';
  const problem = host === '' ? undefined : dns1123SubdomainProblem(trimPrefix(host, '*.'));
  const paths = problemsOfEach(objectAt(rule, 'http')?.paths, `${path}.http.paths`, ({ pathType, path: text }, at) => {
    if (textOf(pathType) === undefined) return [required(`${at}.pathType`, 'pathType must be specified')];
    const isFree = pathType === 'ImplementationSpecific' || textOf(text)?.startsWith('/') === true;
    const types = unsupportedUnless(pathType, `${at}.pathType`, 'Exact', 'ImplementationSpecific', 'Prefix');
    return types.length > 0 ? types : invalidIf(!isFree, `${at}.path`, text ?? '', 'must be an absolute path');
  });
  return [...invalidText(`${path}.host`, host, problem), ...paths];
}

const autoscaler: Rule = (object) => {
  const { maxReplicas, minReplicas, scaleTargetRef } = specOf(object);
  const most = numberOf(maxReplicas) ?? 0;
  const isBelow = most < (numberOf(minReplicas) ?? most);
  const target = isJsonObject(scaleTargetRef) ? scaleTargetRef : undefined;
  return [
    ...requiredIf(most < 1, 'spec.maxReplicas', 'must be set and greater than 0'),
    ...invalidIf(isBelow, 'spec.maxReplicas', most, 'must be greater than or equal to `minReplicas`'),
    ...requiredTexts(target, 'spec.scaleTargetRef', 'kind', 'name'),
  ];
};

const definition: Rule = (object) => {
  const spec = specOf(object);
  const { name } = object.metadata;
  const wanted = `${textOf(objectAt(spec, 'names')?.plural) ?? ''}.${textOf(spec.group) ?? ''}`;
  const stored = objectsIn(spec.versions).filter((version) => version.storage === true);
  const oneStored = 'must have exactly one version marked as storage version';
  return [
    ...invalidIf(name !== wanted, 'metadata.name', name, 'must be spec.names.plural+"."+spec.group'),
    ...requiredIf(textOf(spec.scope) === undefined, 'spec.scope'),
    ...invalidIf(stored.length !== 1, 'spec.versions', spec.versions, oneStored),
    ...problemsOfEach(spec.versions, 'spec.versions', (version, at) => {
      const schema = objectAt(version, 'schema', 'openAPIV3Schema');
      return requiredIf(schema === undefined, `${at}.schema.openAPIV3Schema`);
    }),
  ];
};

const binding: Rule = (object) => {
  const reference = objectAt(object, 'roleRef') ?? {};
  return [
    ...requiredTexts(reference, 'roleRef', 'name'),
    ...unsupportedUnless(reference.kind ?? '', 'roleRef.kind', 'ClusterRole', 'Role'),
  ];
};

/** The rules of the common kinds for an object by itself. */
export const kindRules: Readonly<Record<string, Rule>> = {
  '/Pod': (object) => podSpecProblems(specOf(object), 'spec'),
  '/ConfigMap': configMap,
  '/Secret': secret,
  '/Service': service,
  '/PersistentVolumeClaim': claim,
  'apps/Deployment': workload,
  'apps/ReplicaSet': workload,
  'apps/StatefulSet': workload,
  'apps/DaemonSet': workload,
  'batch/Job': (object) => jobTemplate(specOf(object), 'spec'),
  'batch/CronJob': cronJob,
  'networking.k8s.io/Ingress': ingress,
  'autoscaling/HorizontalPodAutoscaler': autoscaler,
  'apiextensions.k8s.io/CustomResourceDefinition': definition,
  'rbac.authorization.k8s.io/RoleBinding': binding,
  'rbac.authorization.k8s.io/ClusterRoleBinding': binding,
};
