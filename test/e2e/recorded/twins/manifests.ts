import { legacyReadiness } from '../../../../src/cluster/readiness/legacy.ts';
import { completedPod, watcherReadiness } from '../../../../src/cluster/readiness/watcher.ts';
import { classify } from '../../../../src/manifest/classify.ts';
import { sortByKind } from '../../../../src/manifest/kind-order.ts';
import { splitDocuments } from '../../../../src/manifest/split.ts';
import type { Hook, KubernetesObject } from '../../../../src/manifest/types.ts';
import { errorOf, fieldsOf, isTagged, itemsOf, plain, type Recorded, textOf } from '../records.ts';
import { outcome, outcomeOf, type Twin, type Twins } from '../twin.ts';

const hook = ({ name, kind, path, manifest, events, weight, deletePolicies, outputLogPolicies }: Hook): unknown => ({
  name,
  kind,
  path,
  manifest,
  events,
  weight,
  deletePolicies,
  outputLogPolicies,
});

function goHook(value: Recorded): unknown {
  const fields = fieldsOf(value) ?? {};
  return {
    name: plain(fields['Name']),
    kind: plain(fields['Kind']),
    path: plain(fields['Path']),
    manifest: plain(fields['Manifest']),
    events: plain(fields['Events']),
    weight: plain(fields['Weight']),
    deletePolicies: plain(fields['DeletePolicies']) ?? [],
    outputLogPolicies: plain(fields['OutputLogPolicies']) ?? [],
  };
}

const sortManifests: Twin = async ({ args, results }) => ({
  go: outcome(
    {
      hooks: itemsOf(results[0]).map(goHook),
      manifests: itemsOf(results[1]).map((one) => [plain(fieldsOf(one)?.['Name']), plain(fieldsOf(one)?.['Content'])]),
    },
    errorOf(results[2]),
  ),
  ours: await outcomeOf(() => {
    const files = new Map(Object.entries(plain(args[0]) as Record<string, string>));
    const order = itemsOf(args[2]).map(textOf);
    const { hooks, manifests } = classify(files);
    return {
      hooks: sortByKind(hooks, ({ kind }) => kind, order).map(hook),
      manifests: sortByKind(manifests, ({ object }) => object.kind, order).map(({ source, text }) => [source, text]),
    };
  }),
});

const split: Twin = ({ args, results }) => {
  const found = plain(results[0]) as Record<string, string>;
  const numberOf = (key: string): number => Number(key.slice('manifest-'.length));
  return {
    go: Object.keys(found)
      .sort((a, b) => numberOf(a) - numberOf(b))
      .map((key) => found[key]),
    ours: splitDocuments(textOf(args[0])),
  };
};

function objectOf(value: Recorded | undefined, apiVersion: string, kind: string): KubernetesObject {
  const inner = isTagged(value) && value.$ === 'pointer' ? value.v : value;
  return { ...(plain(inner) as KubernetesObject), apiVersion, kind };
}

/** An object of the test's own has no uid; what it owns says that it is ''. */
const owner = (object: KubernetesObject): KubernetesObject => ({
  ...object,
  metadata: { uid: '', ...object.metadata },
});

/** Of the ready checker's functions the object is the last argument. */
const legacy =
  (apiVersion: string, kind: string, relatedKind?: string): Twin =>
  ({ args, results }) => {
    const related = relatedKind === undefined ? [] : [objectOf(args[1], apiVersion, relatedKind)];
    const { state } = legacyReadiness(owner(objectOf(args.at(-1), apiVersion, kind)), true, related);
    const error = errorOf(results[1]);
    const go = error === undefined ? (results[0] === true ? 'ready' : 'waiting') : 'failed';
    return { go, ours: state };
  };

const states: Readonly<Record<string, string>> = {
  Current: 'ready',
  InProgress: 'waiting',
  Failed: 'failed',
  Terminating: 'waiting',
};

/** An object of any kind; those of a test may not say which. */
function unstructured(value: Recorded | undefined, apiVersion: string, kind: string): KubernetesObject {
  const { Object: object } = plain(value) as { Object: KubernetesObject };
  return object.kind === undefined ? { ...object, apiVersion, kind } : object;
}

const kstatus =
  (waitForJobs: boolean): Twin =>
  async ({ args, results }) => {
    const object = unstructured(args[0], 'batch/v1', 'Job');
    const status = textOf(fieldsOf(results[0])?.['Status']);
    return {
      go: outcome(states[status] ?? status, errorOf(results[1])),
      ours: await outcomeOf(() => watcherReadiness(object, waitForJobs).state),
    };
  };

/** How a pod of a hook has ended. */
const ended: Twin = async ({ args, results }) => ({
  go: outcome(states[textOf(fieldsOf(results[0])?.['Status'])], errorOf(results[1])),
  ours: await outcomeOf(() => completedPod(unstructured(args[0], 'v1', 'Pod')).state),
});

/** Names, sorted by kind. */
const byKind =
  (kindOf: (one: Recorded) => string): Twin =>
  ({ args, results }) => {
    const nameOf = (one: Recorded): string => textOf(fieldsOf(one)?.['Name']);
    return {
      go: itemsOf(results[0]).map(nameOf),
      ours: sortByKind(itemsOf(args[0]), kindOf, itemsOf(args[1]).map(textOf)).map(nameOf),
    };
  };

export const manifestTwins: Twins = {
  'util.SortManifests': sortManifests,
  'util.SplitManifests': split,
  'util.sortManifestsByKind': byKind((one) => textOf(fieldsOf(fieldsOf(one)?.['Head'])?.['Kind'])),
  'util.sortHooksByKind': byKind((one) => textOf(fieldsOf(one)?.['Kind'])),
  'statusreaders.jobConditions': kstatus(true),
  'statusreaders.podConditions': ended,
  'kube.ReadyChecker.deploymentReady': legacy('apps/v1', 'Deployment', 'ReplicaSet'),
  'kube.ReadyChecker.daemonSetReady': legacy('apps/v1', 'DaemonSet'),
  'kube.ReadyChecker.statefulSetReady': legacy('apps/v1', 'StatefulSet'),
  'kube.ReadyChecker.serviceReady': legacy('v1', 'Service'),
  'kube.ReadyChecker.volumeReady': legacy('v1', 'PersistentVolumeClaim'),
  'kube.ReadyChecker.crdReady': legacy('apiextensions.k8s.io/v1', 'CustomResourceDefinition'),
  'kube.ReadyChecker.crdBetaReady': legacy('apiextensions.k8s.io/v1beta1', 'CustomResourceDefinition'),
  'kube.ReadyChecker.jobReady': legacy('batch/v1', 'Job'),
  'kube.ReadyChecker.isPodReady': legacy('v1', 'Pod'),
  'status.Compute': kstatus(false),
};
