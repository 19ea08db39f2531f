import { dns1123LabelProblem, domainPathProblem, labelValueProblem } from '../../../kinds/names.ts';
import { type JsonObject, numberOf, objectAt, objectsIn, plain, textMap, textOf } from '../../../support/json.ts';
import { invalidValue, required, unsupportedValue } from '../../status.ts';
import { matchesLabelSelector } from '../../store/selectors.ts';
import {
  amountOf,
  every,
  forbiddenIf,
  format,
  invalidIf,
  invalidText,
  isEmpty,
  neededOneOf,
  notNegative,
  numberOrPercent,
  oneOf,
  requiredIf,
  shareOfAll,
  unsupportedUnless,
} from '../checks.ts';
import type { Check, StructRules } from '../struct.ts';
import { scheduleProblem, timeZoneProblem } from './schedule.ts';

/** k8s.io/kubernetes/pkg/apis/apps/validation and batch/validation. */

/** A selector that is there, selects something, and selects the pods of the template. */
const selectorOfTemplate =
  (kind: string): Check =>
  (value, path, { value: spec, path: above }) => {
    const selector = (value ?? {}) as JsonObject;
    const isNothing = value !== undefined && isEmpty(selector.matchLabels) && isEmpty(selector.matchExpressions);
    const metadata = objectAt(spec, 'template', 'metadata');
    const labels = textMap(metadata?.labels);
    const isRight = isNothing || !isReadable(selector) || matchesLabelSelector(value as JsonObject | undefined, labels);
    const shown = Object.keys(labels).length === 0 ? undefined : labels;
    return [
      ...requiredIf(value === undefined && kind !== 'daemonset', path),
      ...invalidIf(isNothing, path, {}, `empty selector is invalid for ${kind}`),
      ...invalidIf(!isReadable(selector), path, selector, 'invalid label selector'),
      ...invalidIf(!isRight, `${above}.template.metadata.labels`, shown, '`selector` does not match template `labels`'),
    ];
  };

/** Whether Go makes a selector of it: expressions with an operator that it knows, and the values that this one needs. */
const isReadable = ({ matchExpressions, matchLabels }: JsonObject): boolean =>
  objectsIn(matchExpressions).every(({ operator, values }) =>
    operator === 'In' || operator === 'NotIn'
      ? !isEmpty(values)
      : (operator === 'Exists' || operator === 'DoesNotExist') && isEmpty(values),
  ) && Object.values(textMap(matchLabels)).every((value) => labelValueProblem(value) === undefined);

/** What controllers keep running must restart, and never ends by itself. */
/** ValidatePodTemplateSpecForRC: its selector is a map of labels. */
const labelsOfSelector: Check = (_value, path, { value: spec }) => {
  const labels = objectAt(spec, 'template', 'metadata')?.labels;
  const isRight = Object.entries(textMap(spec.selector)).every(([key, value]) => textMap(labels)[key] === value);
  const at = `${path}.template.metadata.labels`;
  return invalidIf(!isRight, at, labels, '`selector` does not match template `labels`');
};

const keepsRunning: Check = (_value, path, { name, value: spec }) => {
  const { restartPolicy, activeDeadlineSeconds } = objectAt(spec, 'template', 'spec') ?? {};
  const place = `${path}.template.spec`;
  return [
    ...unsupportedUnless(restartPolicy ?? 'Always', `${place}.restartPolicy`, 'Always'),
    ...forbiddenIf(
      activeDeadlineSeconds !== undefined,
      `${place}.activeDeadlineSeconds`,
      `activeDeadlineSeconds in ${name.replace(/Spec$/, '')} is not Supported`,
    ),
  ];
};

const counts: StructRules = { replicas: notNegative, minReadySeconds: notNegative };

const template = (kind: string): StructRules => ({
  selector: selectorOfTemplate(kind),
  template: () => [],
  '': keepsRunning,
});

/** An update strategy by its type; unknown ones are named as a whole. */
const strategy =
  (...types: string[]): Check =>
  (value, path) =>
    types.includes(plain((value as JsonObject | undefined)?.type)) ? [] : [unsupportedValue(path, value, types)];

const recreation: Check = (value, path) => {
  const { type, rollingUpdate } = (value ?? {}) as JsonObject;
  const detail = "may not be specified when strategy `type` is 'Recreate'";
  return forbiddenIf(type === 'Recreate' && rollingUpdate !== undefined, `${path}.rollingUpdate`, detail);
};

const statefulSetStrategy: Check = (value, path) => {
  const { type, rollingUpdate } = (value ?? {}) as JsonObject;
  const isKnown = type === 'RollingUpdate' || type === 'OnDelete';
  return [
    ...invalidIf(!isKnown, path, value, "must be 'RollingUpdate' or 'OnDelete'"),
    ...invalidIf(
      type === 'OnDelete' && rollingUpdate !== undefined,
      `${path}.rollingUpdate`,
      rollingUpdate,
      "only allowed for updateStrategy 'RollingUpdate'",
    ),
  ];
};

const deploymentUpdate: Check = (value, path) => {
  const { maxSurge, maxUnavailable } = value as JsonObject;
  const isNothing = amountOf(maxSurge) === 0 && amountOf(maxUnavailable) === 0;
  return invalidIf(isNothing, `${path}.maxUnavailable`, maxUnavailable, 'may not be 0 when `maxSurge` is 0');
};

const daemonSetUpdate: Check = (value, path) => {
  const { maxSurge, maxUnavailable } = value as JsonObject;
  const [surge, unavailable] = [amountOf(maxSurge) !== 0, amountOf(maxUnavailable) !== 0];
  return [
    ...invalidIf(surge && unavailable, `${path}.maxSurge`, maxSurge, 'may not be set when maxUnavailable is non-zero'),
    ...requiredIf(!surge && !unavailable, `${path}.maxUnavailable`, 'cannot be 0 when maxSurge is 0'),
  ];
};

const progressDeadline: Check = (value, path, { value: { minReadySeconds } }) =>
  invalidIf(
    typeof value === 'number' && value <= (numberOf(minReadySeconds) ?? 0),
    path,
    value,
    'must be greater than minReadySeconds',
  );

const jobRestarts: Check = (_value, path, { value: spec }) => {
  const policy = objectAt(spec, 'template', 'spec')?.restartPolicy;
  const place = `${path}.template.spec.restartPolicy`;
  const known = ['OnFailure', 'Never'];
  if (isEmpty(policy) || policy === 'Always') return [required(place, 'valid values: "OnFailure", "Never"')];
  if (!known.includes(plain(policy))) return [unsupportedValue(place, policy, known)];
  const isWrong = spec.podFailurePolicy !== undefined && policy !== 'Never';
  return invalidIf(isWrong, place, policy, 'only "Never" is supported when podFailurePolicy is specified');
};

const indexedOnly: Check = (value, path, { value: { completionMode } }) =>
  invalidIf(value !== undefined && completionMode !== 'Indexed', path, value, 'requires indexed completion mode');

const completions: Check = (value, path, { value: { completionMode } }) =>
  requiredIf(value === undefined && completionMode === 'Indexed', path, 'when completion mode is Indexed');

/** Only a Job with `manualSelector` brings a selector of its own, which must then select its pods. */
const jobSelector: Check = (value, path, { value: spec, name, above }) => {
  if (name !== 'JobSpec') return [];
  if (above?.name === 'JobTemplateSpec') {
    const isManual = spec.manualSelector === true;
    return [
      ...(value === undefined ? [] : [invalidValue(path, value, '`selector` will be auto-generated')]),
      ...(isManual ? [unsupportedValue(path.replace(/selector$/, 'manualSelector'), true, ['nil', 'false'])] : []),
    ];
  }
  const labels = textMap(objectAt(spec, 'template', 'metadata')?.labels);
  const isRight = matchesLabelSelector(value as JsonObject | undefined, labels);
  const generated = 'batch.kubernetes.io/controller-uid';
  const keys = Object.keys(textMap((value as JsonObject | undefined)?.matchLabels));
  const isForeign = spec.manualSelector !== true && keys.some((key) => key !== generated);
  const place = path.replace(/selector$/, 'template.metadata.labels');
  return [
    ...invalidIf(isForeign, path, value, '`selector` not auto-generated'),
    ...requiredIf(value === undefined, path),
    ...invalidIf(!isRight, place, labels, '`selector` does not match template `labels`'),
  ];
};

const jobSpec: StructRules = {
  selector: jobSelector,
  parallelism: notNegative,
  completions: every(notNegative, completions),
  activeDeadlineSeconds: notNegative,
  backoffLimit: notNegative,
  ttlSecondsAfterFinished: notNegative,
  backoffLimitPerIndex: every(notNegative, indexedOnly, (value, path, { value: { maxFailedIndexes } }) =>
    requiredIf(value === undefined && maxFailedIndexes !== undefined, path, 'when maxFailedIndexes is specified'),
  ),
  maxFailedIndexes: every(notNegative, indexedOnly),
  successPolicy: indexedOnly,
  managedBy: format(domainPathProblem),
  completionMode: oneOf('NonIndexed', 'Indexed'),
  podReplacementPolicy: (value, path, struct) =>
    (struct.value.podFailurePolicy === undefined ? oneOf('Failed', 'TerminatingOrFailed') : oneOf('Failed'))(
      value,
      path,
      struct,
    ),
  template: () => [],
  '': jobRestarts,
};

const failureRule: StructRules = {
  action: neededOneOf('Count', 'FailIndex', 'FailJob', 'Ignore'),
  '': (value, path) => {
    const { onExitCodes, onPodConditions } = value as JsonObject;
    const none = 'specifying one of OnExitCodes and OnPodConditions is required';
    const both = 'specifying both OnExitCodes and OnPodConditions is not supported';
    return [
      ...invalidIf(isEmpty(onExitCodes) && isEmpty(onPodConditions), path, value, none),
      ...invalidIf(!isEmpty(onExitCodes) && !isEmpty(onPodConditions), path, value, both),
    ];
  },
};

const cronJobSpec: StructRules = {
  schedule: (value, path) => {
    const text = textOf(value) ?? '';
    if (text === '') return [required(path)];
    const noZone = 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead';
    return [...invalidText(path, text, scheduleProblem(text)), ...invalidIf(text.includes('TZ'), path, text, noZone)];
  },
  startingDeadlineSeconds: notNegative,
  timeZone: (value, path) => (typeof value === 'string' ? invalidText(path, value, timeZoneProblem(value)) : []),
  concurrencyPolicy: neededOneOf('Allow', 'Forbid', 'Replace'),
  successfulJobsHistoryLimit: notNegative,
  failedJobsHistoryLimit: notNegative,
};

export const workloadStructs: Readonly<Record<string, StructRules>> = {
  DeploymentSpec: {
    replicas: notNegative,
    ...template('deployment'),
    strategy: every(strategy('Recreate', 'RollingUpdate'), recreation),
    minReadySeconds: notNegative,
    revisionHistoryLimit: notNegative,
    progressDeadlineSeconds: every(notNegative, progressDeadline),
  },
  RollingUpdateDeployment: { maxUnavailable: shareOfAll, maxSurge: numberOrPercent, '': deploymentUpdate },
  ReplicaSetSpec: { ...counts, ...template('replicaset') },
  StatefulSetSpec: {
    podManagementPolicy: (value, path) =>
      invalidIf(value !== 'OrderedReady' && value !== 'Parallel', path, value, "must be 'OrderedReady' or 'Parallel'"),
    updateStrategy: statefulSetStrategy,
    ...counts,
    serviceName: format(dns1123LabelProblem),
    ...template('statefulset'),
  },
  StatefulSetPersistentVolumeClaimRetentionPolicy: {
    whenDeleted: oneOf('Retain', 'Delete'),
    whenScaled: oneOf('Retain', 'Delete'),
  },
  StatefulSetOrdinals: { start: notNegative },
  RollingUpdateStatefulSetStrategy: {
    partition: notNegative,
  },
  DaemonSetSpec: {
    ...template('daemonset'),
    minReadySeconds: notNegative,
    updateStrategy: strategy('RollingUpdate', 'OnDelete'),
    revisionHistoryLimit: notNegative,
  },
  RollingUpdateDaemonSet: { maxUnavailable: shareOfAll, maxSurge: shareOfAll, '': daemonSetUpdate },
  ReplicationControllerSpec: { ...counts, template: () => [], '': every(labelsOfSelector, keepsRunning) },
  JobSpec: jobSpec,
  PodFailurePolicyRule: failureRule,
  CronJobSpec: cronJobSpec,
};
