import type { Finding } from '../cluster/diagnosis.ts';

/** What mostly helps against a cause; the first that fits. */
const remedies: readonly (readonly [RegExp, string])[] = [
  [/OOMKilled/, 'raise the memory limit, or let the program use less'],
  [/\(no such tag or repository\)/, 'name a tag that exists, or push this one'],
  [
    /imagePullSecrets\)[^]*also missing: [^]*?Secret\/([\w.-]*\w)/,
    'create Secret/$1 of type kubernetes.io/dockerconfigjson, or name one that exists',
  ],
  [/\bsecret "([^"]+)" not found(?![^]*did you mean it)/, 'create Secret/$1, or name one that exists'],
  [/\bconfigmap "([^"]+)" not found(?![^]*did you mean it)/, 'create ConfigMap/$1, or name one that exists'],
  [/the credentials \(imagePullSecrets\)/, 'name a Secret of type kubernetes.io/dockerconfigjson in imagePullSecrets'],
  [/exceeded quota: (\S+),/, 'fewer replicas, smaller requests, or a larger ResourceQuota/$1'],
  [/Insufficient (\S*\w)/, 'request less $1, or add a larger node'],
  [/untolerated taint/, 'add a toleration for the taint, or another node'],
  [/storageclass\S* "([^"]*)" not found/, 'name a StorageClass that exists, or create $1'],
  [/killed after "Liveness/, 'give it more time to start: a larger initialDelaySeconds, or a startupProbe'],
  [/killed after "Startup/, 'give it more time to start: a larger failureThreshold of the startupProbe'],
  [/probe failed: HTTP probe failed with statuscode: 404/, 'ask for a path that the program serves'],
  [/readOnly: true$/, 'leave readOnly out there, or write to another volume'],
  [/readOnlyRootFilesystem is true/, 'mount an emptyDir there'],
  [/executable file not found|no such file or directory/, 'correct the command, or take an image that has it'],
];

/** The way out of a cause, where one mostly helps: a line at most. */
export function remediesFor({ reason, hint = '' }: Finding): readonly string[] {
  const words = `${reason}\n${hint}`;
  for (const [pattern, text] of remedies) {
    const found = pattern.exec(words);
    if (found !== null) return [text.replace('$1', () => found[1] ?? '')];
  }
  return [];
}
