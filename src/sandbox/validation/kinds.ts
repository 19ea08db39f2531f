import { type JsonObject, objectAt, objectsIn, textMap, textOf } from '../../support/json.ts';
import type { Resource } from '../resource.ts';
import { duplicate, type FieldProblem, invalidValue, required, unsupportedValue } from '../status.ts';
import { configKeyProblem, dns1123SubdomainProblem } from './names.ts';
import { podSpecProblems, podTemplateProblems, templateProblems } from './pod.ts';

type Rule = (object: Resource) => FieldProblem[];

const specOf = (object: Resource): JsonObject => objectAt(object, 'spec') ?? {};

function notNegative(spec: JsonObject, path: string, ...fields: readonly string[]): FieldProblem[] {
  return fields.flatMap((field) => {
    const value = spec[field];
    if (typeof value !== 'number' || value >= 0) return [];
    return [invalidValue(`${path}.${field}`, value, 'must be greater than or equal to 0')];
  });
}

const workload: Rule = (object) => {
  const spec = specOf(object);
  const counts = notNegative(spec, 'spec', 'replicas', 'minReadySeconds', 'revisionHistoryLimit');
  return [...counts, ...templateProblems(spec, 'spec'), ...alwaysRestarts(spec)];
};

function alwaysRestarts(spec: JsonObject): FieldProblem[] {
  const policy = objectAt(spec, 'template', 'spec')?.restartPolicy;
  if (policy === undefined || policy === 'Always') return [];
  return [unsupportedValue('spec.template.spec.restartPolicy', policy, ['Always'])];
}

const jobTemplate = (spec: JsonObject, path: string): FieldProblem[] => {
  const policy = objectAt(spec, 'template', 'spec')?.restartPolicy;
  const restart =
    policy === undefined || policy === 'Always'
      ? [required(`${path}.template.spec.restartPolicy`, 'valid values: "OnFailure", "Never"')]
      : [];
  const counts = notNegative(
    spec,
    path,
    'parallelism',
    'completions',
    'backoffLimit',
    'activeDeadlineSeconds',
    'ttlSecondsAfterFinished',
  );
  return [...counts, ...podTemplateProblems(objectAt(spec, 'template'), `${path}.template`), ...restart];
};

const cronJob: Rule = (object) => {
  const spec = specOf(object);
  const schedule = textOf(spec.schedule) ?? '';
  const fields = schedule
    .replace(/^(CRON_TZ|TZ)=\S+\s+/, '')
    .split(/\s+/)
    .filter(Boolean);
  const problems: FieldProblem[] = [];
  if (schedule === '') problems.push(required('spec.schedule'));
  else if (!schedule.startsWith('@') && fields.length !== 5) {
    const text = `expected exactly 5 fields, found ${fields.length}: [${fields.join(' ')}]`;
    problems.push(invalidValue('spec.schedule', schedule, text));
  }
  return [...problems, ...jobTemplate(objectAt(spec, 'jobTemplate', 'spec') ?? {}, 'spec.jobTemplate.spec')];
};

const service: Rule = (object) => {
  const spec = specOf(object);
  const ports = objectsIn(spec.ports);
  const problems: FieldProblem[] = [];
  const types = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];
  if (!types.includes(textOf(spec.type) ?? '')) problems.push(unsupportedValue('spec.type', spec.type, types));
  if (spec.type === 'ExternalName') {
    if ((textOf(spec.externalName) ?? '') === '') problems.push(required('spec.externalName'));
    return problems;
  }
  if (ports.length === 0 && spec.clusterIP !== 'None') problems.push(required('spec.ports'));
  const names = new Set<unknown>();
  for (const [index, port] of ports.entries()) {
    const at = `spec.ports[${index}]`;
    if (ports.length > 1 && (textOf(port.name) ?? '') === '') problems.push(required(`${at}.name`));
    if (port.name !== undefined && names.has(port.name)) problems.push(duplicate(`${at}.name`, port.name));
    names.add(port.name);
    if (typeof port.port !== 'number' || port.port < 1 || port.port > 65535) {
      problems.push(invalidValue(`${at}.port`, port.port ?? 0, 'must be between 1 and 65535, inclusive'));
    }
  }
  return problems;
};

function dataKeys(object: Resource, ...fields: readonly string[]): FieldProblem[] {
  return fields.flatMap((field) =>
    Object.keys(textMap(object[field])).flatMap((key) => {
      const problem = configKeyProblem(key);
      return problem === undefined ? [] : [invalidValue(`${field}[${key}]`, key, problem)];
    }),
  );
}

const maxDataBytes = 1024 * 1024;

const secretKeys: Readonly<Record<string, readonly string[]>> = {
  'kubernetes.io/tls': ['tls.crt', 'tls.key'],
  'kubernetes.io/dockerconfigjson': ['.dockerconfigjson'],
  'kubernetes.io/dockercfg': ['.dockercfg'],
  'kubernetes.io/ssh-auth': ['ssh-privatekey'],
};

const secret: Rule = (object) => {
  const data = textMap(object.data);
  const problems = dataKeys(object, 'data');
  for (const key of secretKeys[textOf(object.type) ?? ''] ?? []) {
    if (data[key] === undefined) problems.push(required(`data[${key}]`));
  }
  const bytes = Object.values(data).reduce((sum, text) => sum + Math.floor((text.length * 3) / 4), 0);
  return bytes > maxDataBytes ? [...problems, tooMuchData] : problems;
};

const configMap: Rule = (object) => {
  const bytes = [...Object.values(textMap(object.data)), ...Object.values(textMap(object.binaryData))].reduce(
    (sum, text) => sum + Buffer.byteLength(text),
    0,
  );
  const problems = dataKeys(object, 'data', 'binaryData');
  return bytes > maxDataBytes ? [...problems, { ...tooMuchData, field: '' }] : problems;
};

const tooMuchData: FieldProblem = {
  reason: 'FieldValueTooLong',
  field: 'data',
  message: `Too long: may not be more than ${maxDataBytes} bytes`,
};

const claim: Rule = (object) => {
  const spec = specOf(object);
  const problems: FieldProblem[] = [];
  if (!Array.isArray(spec.accessModes) || spec.accessModes.length === 0) {
    problems.push(required('spec.accessModes', 'at least 1 access mode is required'));
  }
  if (textMap(objectAt(spec, 'resources')?.requests).storage === undefined) {
    problems.push(required('spec.resources[storage]'));
  }
  return problems;
};

const ingress: Rule = (object) => {
  const spec = specOf(object);
  const rules = objectsIn(spec.rules);
  if (rules.length === 0 && spec.defaultBackend === undefined) {
    return [invalidValue('spec', undefined, 'either `defaultBackend` or `rules` must be specified')];
  }
  return rules.flatMap((rule, index) => ingressRule(rule, `spec.rules[${index}]`));
};

function ingressRule(rule: JsonObject, path: string): FieldProblem[] {
  const host = textOf(rule.host) ?? '';
  const problem = host === '' ? undefined : dns1123SubdomainProblem(host.replace(/^\*\./, ''));
  const problems = problem === undefined ? [] : [invalidValue(`${path}.host`, host, problem)];
  const paths = objectsIn(objectAt(rule, 'http')?.paths).flatMap((entry, index) => {
    const at = `${path}.http.paths[${index}]`;
    const type = textOf(entry.pathType);
    if (type === undefined) return [required(`${at}.pathType`, 'pathType must be specified')];
    if (!['Exact', 'ImplementationSpecific', 'Prefix'].includes(type)) {
      return [unsupportedValue(`${at}.pathType`, type, ['Exact', 'ImplementationSpecific', 'Prefix'])];
    }
    const text = textOf(entry.path) ?? '';
    if (type === 'ImplementationSpecific' || text.startsWith('/')) return [];
    return [invalidValue(`${at}.path`, text, 'must be an absolute path')];
  });
  return [...problems, ...paths];
}

const autoscaler: Rule = (object) => {
  const spec = specOf(object);
  const most = typeof spec.maxReplicas === 'number' ? spec.maxReplicas : 0;
  const problems: FieldProblem[] = [];
  if (most < 1) problems.push(required('spec.maxReplicas', 'must be set and greater than 0'));
  if (typeof spec.minReplicas === 'number' && most < spec.minReplicas) {
    problems.push(invalidValue('spec.maxReplicas', most, 'must be greater than or equal to `minReplicas`'));
  }
  const target = objectAt(spec, 'scaleTargetRef');
  if ((textOf(target?.kind) ?? '') === '') problems.push(required('spec.scaleTargetRef.kind'));
  if ((textOf(target?.name) ?? '') === '') problems.push(required('spec.scaleTargetRef.name'));
  return problems;
};

const definition: Rule = (object) => {
  const spec = specOf(object);
  const name = `${textOf(objectAt(spec, 'names')?.plural) ?? ''}.${textOf(spec.group) ?? ''}`;
  const problems: FieldProblem[] = [];
  if (object.metadata.name !== name) {
    problems.push(invalidValue('metadata.name', object.metadata.name, 'must be spec.names.plural+"."+spec.group'));
  }
  if (textOf(spec.scope) === undefined) problems.push(required('spec.scope'));
  const versions = objectsIn(spec.versions);
  if (versions.filter((version) => version.storage === true).length !== 1) {
    problems.push(
      invalidValue('spec.versions', spec.versions, 'must have exactly one version marked as storage version'),
    );
  }
  for (const [index, version] of versions.entries()) {
    if (objectAt(version, 'schema', 'openAPIV3Schema') === undefined) {
      problems.push(required(`spec.versions[${index}].schema.openAPIV3Schema`));
    }
  }
  return problems;
};

const binding: Rule = (object) => {
  const reference = objectAt(object, 'roleRef') ?? {};
  const problems: FieldProblem[] = [];
  if ((textOf(reference.name) ?? '') === '') problems.push(required('roleRef.name'));
  if (reference.kind !== 'Role' && reference.kind !== 'ClusterRole') {
    problems.push(unsupportedValue('roleRef.kind', reference.kind ?? '', ['ClusterRole', 'Role']));
  }
  return problems;
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
