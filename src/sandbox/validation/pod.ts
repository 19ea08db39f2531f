import { quantityOf } from '../../go/quantity.ts';
import { dns1123LabelProblem } from '../../kinds/names.ts';
import { type Json, type JsonObject, objectAt, objectsIn, textMap, textOf } from '../../support/json.ts';
import { duplicate, type FieldProblem, invalidValue, missingReference, required } from '../status.ts';
import { matchesLabelSelector } from '../store/selectors.ts';
import { invalidIf, invalidText, problemsOfEach, requiredIf, requiredTexts, unsupportedUnless } from './checks.ts';
import { annotationProblems, labelProblems } from './metadata.ts';

/** A pod template together with the selector that must match it. */
export function templateProblems(spec: JsonObject, path: string): FieldProblem[] {
  const selector = objectAt(spec, 'selector');
  const metadata = objectAt(spec, 'template', 'metadata');
  const labels = textMap(metadata?.labels);
  const isEmpty = selector !== undefined && Object.keys(selector).length === 0;
  const shown = Object.keys(labels).length === 0 ? undefined : labels;
  const isMet = matchesLabelSelector(selector, labels);
  const problems = [
    ...requiredIf(selector === undefined, `${path}.selector`),
    ...invalidIf(isEmpty, `${path}.selector`, {}, 'empty selector is invalid for deployment'),
    ...invalidIf(!isMet, `${path}.template.metadata.labels`, shown, '`selector` does not match template `labels`'),
  ];
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
  const volumes = new Set([...claims, ...objectsIn(spec.volumes).map((volume) => volume.name)]);
  const names = new Set<string>();
  const containers = ['containers', 'initContainers'].flatMap((field) =>
    problemsOfEach(spec[field], `${path}.${field}`, (container, at) => {
      const name = textOf(container.name) ?? '';
      const isTwice = name !== '' && names.has(name);
      names.add(name);
      return [...containerProblems(container, at, volumes), ...(isTwice ? [duplicate(`${at}.name`, name)] : [])];
    }),
  );
  const policy = spec.restartPolicy ?? 'Always';
  return [
    ...problemsOfEach(spec.volumes, `${path}.volumes`, nameProblems),
    ...requiredIf(objectsIn(spec.containers).length === 0, `${path}.containers`),
    ...containers,
    ...unsupportedUnless(policy, `${path}.restartPolicy`, 'Always', 'OnFailure', 'Never'),
  ];
}

function nameProblems({ name }: JsonObject, path: string): FieldProblem[] {
  const text = textOf(name) ?? '';
  return text === '' ? [required(`${path}.name`)] : invalidText(`${path}.name`, text, dns1123LabelProblem(text));
}

function containerProblems(container: JsonObject, path: string, volumes: ReadonlySet<unknown>): FieldProblem[] {
  const image = textOf(container.image) ?? '';
  const mountPaths = new Set<unknown>();
  const mounts = problemsOfEach(container.volumeMounts, `${path}.volumeMounts`, (mount, at) => {
    const { name, mountPath } = mount;
    const isTwice = mountPaths.has(mountPath);
    mountPaths.add(mountPath);
    return [
      ...requiredTexts(mount, at, 'name'),
      ...(volumes.has(name) ? [] : [missingReference(`${at}.name`, name ?? '')]),
      ...requiredTexts(mount, at, 'mountPath'),
      ...invalidIf(isTwice && Boolean(mountPath), `${at}.mountPath`, mountPath, 'must be unique'),
    ];
  });
  const policy = container.imagePullPolicy ?? 'Always';
  return [
    ...nameProblems(container, path),
    ...requiredTexts(container, path, 'image'),
    ...invalidIf(image !== image.trim(), `${path}.image`, image, 'must not have leading or trailing whitespace'),
    ...problemsOfEach(container.ports, `${path}.ports`, portProblems),
    ...problemsOfEach(container.env, `${path}.env`, (variable, at) => [
      ...requiredTexts(variable, at, 'name'),
      ...invalidIf(
        Boolean(variable.value) && variable.valueFrom !== undefined,
        `${at}.valueFrom`,
        '',
        'may not be specified when `value` is not empty',
      ),
    ]),
    ...mounts,
    ...unsupportedUnless(policy, `${path}.imagePullPolicy`, 'Always', 'IfNotPresent', 'Never'),
    ...resourceProblems(objectAt(container, 'resources'), `${path}.resources`),
  ];
}

function portProblems(port: JsonObject, path: string): FieldProblem[] {
  const number = port.containerPort;
  if (number === undefined || number === 0) return [required(`${path}.containerPort`)];
  const isPort = typeof number === 'number' && number >= 1 && number <= 65535;
  return invalidIf(!isPort, `${path}.containerPort`, number, 'must be between 1 and 65535, inclusive');
}

function resourceProblems(resources: JsonObject | undefined, path: string): FieldProblem[] {
  const limits = textMap(resources?.limits);
  return Object.entries(textMap(resources?.requests)).flatMap(([name, request]) => {
    const limit = limits[name];
    if (limit === undefined || (quantityOf(request) ?? Number.NaN) <= (quantityOf(limit) ?? Number.NaN)) return [];
    return [invalidValue(`${path}.requests`, request, `must be less than or equal to ${name} limit of ${limit}`)];
  });
}
