import { complaintOf, type Finding } from '../cluster/diagnosis.ts';
import { valueAtPath } from '../manifest/field-path.ts';
import { leavesOf } from './faulty-fields.ts';

/** What mostly helps against a cause; the first that fits. */
const remedies: readonly (readonly [RegExp, string])[] = [
  [/OOMKilled/, 'raise the memory limit, or let the program use less'],
  [/\(no such tag or repository\)/, 'name an image and a tag that exist, or push this one'],
  [
    /imagePullSecrets\)[^]*also missing: [^]*?Secret\/([\w.-]*\w)/,
    'create Secret/$1 of type kubernetes.io/dockerconfigjson, or name one that exists',
  ],
  [/the credentials \(imagePullSecrets\)/, 'name a Secret of type kubernetes.io/dockerconfigjson in imagePullSecrets'],
  [/exceeded quota: (\S+),/, 'fewer replicas, smaller requests, or a larger ResourceQuota/$1'],
  [/Insufficient (\S*\w)/, 'request less $1, or add a node with enough of it'],
  [/untolerated taint/, 'add a toleration for the taint, or another node'],
  [/storageclass\S* "([^"]*)" not found/, 'name a StorageClass that exists, or create $1'],
  [/killed after "Liveness/, 'give it more time to start: a larger initialDelaySeconds, or a startupProbe'],
  [/killed after "Startup/, 'give it more time to start: a larger failureThreshold of the startupProbe'],
  [/probe failed: HTTP probe failed with statuscode: 404/, 'ask for a path that the program serves'],
  [
    /probe failed: HTTP probe failed with statuscode: (5\d\d)/,
    'the program itself answers $1: look in its log for what it waits for',
  ],
  [/readOnly: true$/, 'leave readOnly out there, or write to another volume'],
  [/readOnlyRootFilesystem is true/, 'mount an emptyDir there'],
  [/executable file not found|no such file or directory/, 'correct the command, or take an image that has it'],
];

/** The way out of a cause, where one mostly helps: a line at most. `spec` is that of the pods. */
export function remediesFor(finding: Finding, spec: unknown): readonly string[] {
  const { reason, hint = '', resource } = finding;
  const words = [reason, hint, complaintOf(finding) ?? ''].join('\n');
  const gone = missingHolders(words);
  if (gone.length > 0) return gone.map(({ kind, name }) => creating(kind, name, resource.namespace, spec));
  for (const [pattern, text] of remedies) {
    const found = pattern.exec(words);
    if (found !== null) return [text.replace('$1', () => found[1] ?? '')];
  }
  return [];
}

interface Holder {
  readonly kind: 'Secret' | 'ConfigMap';
  readonly name: string;
}

/** Secrets and ConfigMaps that are not there, in the words of the kubelet and our own; not one that a near name is told of. */
function missingHolders(words: string): readonly Holder[] {
  if (words.includes('did you mean it')) return [];
  const [first] = words.matchAll(/\b(secret|configmap) "([^"]+)" not found/g);
  if (first === undefined) return [];
  const others = /also missing: (.*)/.exec(words)?.[1]?.matchAll(/(?<!of )\b(ConfigMap|Secret)\/([\w.-]+)/g) ?? [];
  const [, kind, name = ''] = first;
  return [
    { kind: kind === 'secret' ? 'Secret' : 'ConfigMap', name },
    ...[...others].map(([, other, name = '']): Holder => ({ kind: other === 'Secret' ? 'Secret' : 'ConfigMap', name })),
  ];
}

/** `create Secret/db with the key password in namespace shop, or name one that exists` */
function creating(kind: 'Secret' | 'ConfigMap', name: string, namespace: string, spec: unknown): string {
  const keys = keysOf(kind, name, spec);
  const having = keys.length === 0 ? '' : ` with the ${keys.length === 1 ? 'key' : 'keys'} ${keys.join(', ')}`;
  return `create ${kind}/${name}${having} in namespace ${namespace}, or name one that exists`;
}

/** Which keys of it the pods ask for one by one. */
function keysOf(kind: 'Secret' | 'ConfigMap', name: string, spec: unknown): readonly string[] {
  const fields = kind === 'Secret' ? ['secretKeyRef', 'secret'] : ['configMapKeyRef', 'configMap'];
  const keys = leavesOf(spec).flatMap((path) => {
    const at = path.findIndex((part) => fields.includes(String(part)));
    const holder = valueAtPath(spec, path.slice(0, at + 1)) as Readonly<Record<string, unknown>> | undefined;
    const isNamed = at >= 0 && [holder?.['name'], holder?.['secretName']].includes(name);
    return isNamed && path.at(-1) === 'key' ? String(valueAtPath(spec, path)) : [];
  });
  return [...new Set(keys)];
}
