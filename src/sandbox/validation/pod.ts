import { quantityOf } from '../../go/quantity.ts';
import { type Json, type JsonObject, objectAt, objectsIn, textMap, textOf } from '../../support/json.ts';
import { duplicate, type FieldProblem, invalidValue, missingReference, required, unsupportedValue } from '../status.ts';
import { matchesLabelSelector } from '../store/selectors.ts';
import { annotationProblems, labelProblems } from './metadata.ts';
import { dns1123LabelProblem } from './names.ts';

/** A pod template together with the selector that must match it. */
export function templateProblems(spec: JsonObject, path: string): FieldProblem[] {
  const selector = objectAt(spec, 'selector');
  const metadata = objectAt(spec, 'template', 'metadata');
  const labels = textMap(metadata?.labels);
  const problems: FieldProblem[] = [];
  if (selector === undefined) problems.push(required(`${path}.selector`));
  else if (Object.keys(selector).length === 0) {
    problems.push(invalidValue(`${path}.selector`, {}, 'empty selector is invalid for deployment'));
  }
  if (selector === undefined || !matchesLabelSelector(selector, labels)) {
    const shown = Object.keys(labels).length === 0 ? undefined : (labels as JsonObject);
    problems.push(
      invalidValue(`${path}.template.metadata.labels`, shown, '`selector` does not match template `labels`'),
    );
  }
  const claims = objectsIn(spec.volumeClaimTemplates).map((claim) => objectAt(claim, 'metadata')?.name);
  return [...problems, ...podTemplateProblems(objectAt(spec, 'template'), `${path}.template`, claims)];
}

/** `claims` are volumes that the template need not name: those of a StatefulSet. */
export function podTemplateProblems(
  template: JsonObject | undefined,
  path: string,
  claims: readonly (Json | undefined)[] = [],
): FieldProblem[] {
  const metadata = objectAt(template, 'metadata');
  return [
    ...labelProblems(textMap(metadata?.labels), `${path}.metadata.labels`),
    ...annotationProblems(textMap(metadata?.annotations), `${path}.metadata.annotations`),
    ...podSpecProblems(objectAt(template, 'spec') ?? {}, `${path}.spec`, claims),
  ];
}

export function podSpecProblems(
  spec: JsonObject,
  path: string,
  claims: readonly (Json | undefined)[] = [],
): FieldProblem[] {
  const volumes = objectsIn(spec.volumes);
  const volumeNames = new Set([...claims, ...volumes.map((volume) => volume.name)]);
  const containers = objectsIn(spec.containers);
  const init = objectsIn(spec.initContainers);
  const problems = volumes.flatMap((volume, index) => nameProblems(volume, `${path}.volumes[${index}]`));
  if (containers.length === 0) problems.push(required(`${path}.containers`));
  const names = new Set<string>();
  for (const [field, list] of [
    ['containers', containers],
    ['initContainers', init],
  ] as const) {
    for (const [index, container] of list.entries()) {
      const at = `${path}.${field}[${index}]`;
      problems.push(...containerProblems(container, at, volumeNames));
      const name = textOf(container.name) ?? '';
      if (names.has(name) && name !== '') problems.push(duplicate(`${at}.name`, name));
      names.add(name);
    }
  }
  const policy = textOf(spec.restartPolicy);
  if (policy !== undefined && !['Always', 'OnFailure', 'Never'].includes(policy)) {
    problems.push(unsupportedValue(`${path}.restartPolicy`, policy, ['Always', 'OnFailure', 'Never']));
  }
  return problems;
}

function nameProblems(object: JsonObject, path: string): FieldProblem[] {
  const name = textOf(object.name) ?? '';
  if (name === '') return [required(`${path}.name`)];
  const problem = dns1123LabelProblem(name);
  return problem === undefined ? [] : [invalidValue(`${path}.name`, name, problem)];
}

function containerProblems(container: JsonObject, path: string, volumes: ReadonlySet<unknown>): FieldProblem[] {
  const problems = nameProblems(container, path);
  const image = textOf(container.image) ?? '';
  if (image === '') problems.push(required(`${path}.image`));
  else if (image !== image.trim()) {
    problems.push(invalidValue(`${path}.image`, image, 'must not have leading or trailing whitespace'));
  }
  for (const [index, port] of objectsIn(container.ports).entries()) {
    problems.push(...portProblems(port, `${path}.ports[${index}]`));
  }
  for (const [index, variable] of objectsIn(container.env).entries()) {
    const at = `${path}.env[${index}]`;
    if ((textOf(variable.name) ?? '') === '') problems.push(required(`${at}.name`));
    if (variable.value !== undefined && variable.value !== '' && variable.valueFrom !== undefined) {
      problems.push(invalidValue(`${at}.valueFrom`, '', 'may not be specified when `value` is not empty'));
    }
  }
  const mountPaths = new Set<unknown>();
  for (const [index, mount] of objectsIn(container.volumeMounts).entries()) {
    const at = `${path}.volumeMounts[${index}]`;
    if ((textOf(mount.name) ?? '') === '') problems.push(required(`${at}.name`));
    if (!volumes.has(mount.name)) problems.push(missingReference(`${at}.name`, mount.name ?? ''));
    if ((textOf(mount.mountPath) ?? '') === '') problems.push(required(`${at}.mountPath`));
    else if (mountPaths.has(mount.mountPath)) {
      problems.push(invalidValue(`${at}.mountPath`, mount.mountPath, 'must be unique'));
    }
    mountPaths.add(mount.mountPath);
  }
  const policy = textOf(container.imagePullPolicy);
  if (policy !== undefined && !['Always', 'IfNotPresent', 'Never'].includes(policy)) {
    problems.push(unsupportedValue(`${path}.imagePullPolicy`, policy, ['Always', 'IfNotPresent', 'Never']));
  }
  return [...problems, ...resourceProblems(objectAt(container, 'resources'), `${path}.resources`)];
}

function portProblems(port: JsonObject, path: string): FieldProblem[] {
  const number = port.containerPort;
  if (number === undefined || number === 0) return [required(`${path}.containerPort`)];
  return typeof number === 'number' && number >= 1 && number <= 65535
    ? []
    : [invalidValue(`${path}.containerPort`, number, 'must be between 1 and 65535, inclusive')];
}

function resourceProblems(resources: JsonObject | undefined, path: string): FieldProblem[] {
  const limits = textMap(resources?.limits);
  return Object.entries(textMap(resources?.requests)).flatMap(([name, request]) => {
    const limit = limits[name];
    if (limit === undefined || (quantityOf(request) ?? Number.NaN) <= (quantityOf(limit) ?? Number.NaN)) return [];
    return [invalidValue(`${path}.requests`, request, `must be less than or equal to ${name} limit of ${limit}`)];
  });
}
