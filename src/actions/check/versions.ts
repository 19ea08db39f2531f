import { knownMinors } from '../../kinds/field-types.ts';
import { servedKinds } from '../../kinds/lifecycles.ts';
import type { Capabilities } from '../../render/capabilities.ts';
import { type KubeVersion, readKubeVersion } from '../../render/kube-version.ts';
import type { CheckResult, Finding } from './finding.ts';

/** `1.34,1.37`, the oldest first. Errors: `invalid-kube-version`. */
export const askedVersions = (kubeVersion = ''): readonly KubeVersion[] =>
  kubeVersion
    .split(',')
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .map(readKubeVersion)
    .sort((a, b) => minorOf(a) - minorOf(b));

export const minorOf = ({ minor }: Pick<KubeVersion, 'minor'>): number => Number.parseInt(minor, 10);

/** Says of the versions whose API is not known here as which other one they are judged. */
export function unknownVersions(versions: readonly KubeVersion[]): readonly string[] {
  const [oldest = 0, newest = 0] = [knownMinors[0], knownMinors.at(-1)];
  return versions
    .filter((version) => version.major !== '1' || minorOf(version) < oldest || minorOf(version) > newest)
    .map((version) => {
      const judgedAs = version.major === '1' && minorOf(version) < oldest ? oldest : newest;
      return `warning: the API of Kubernetes ${version.major}.${version.minor} is not known: its fields are checked as those of 1.${judgedAs} (known are 1.${oldest} to 1.${newest})`;
    });
}

/** What templates see of an API server of a version: what it serves unless it is told otherwise. */
export function capabilitiesOf(kubeVersion: KubeVersion, more: readonly string[]): Capabilities {
  const served = servedKinds(minorOf(kubeVersion));
  const names = served.flatMap(({ apiVersion, kind }) => [apiVersion, `${apiVersion}/${kind}`]);
  return { kubeVersion, apiVersions: [...new Set([...names, ...more])] };
}

/** What was found with the rendering of some versions: `1.34`. */
export interface VersionResult {
  readonly versions: readonly string[];
  readonly result: CheckResult;
}

/** One result: what is found in several versions is reported once, with the versions unless these are all. */
export function joinedResults(results: readonly VersionResult[]): CheckResult {
  const [first] = results;
  if (first === undefined) throw new Error('internal: no version');
  if (results.length === 1) return first.result;
  const all = results.map(({ result }) => result);
  const everywhere = results.flatMap(({ versions }) => versions).length;
  return {
    isRendered: all.every(({ isRendered }) => isRendered),
    objects: unique(all.flatMap(({ objects }) => objects.map(({ id, source }) => ({ id, source })))),
    findings: joined(results).map((finding) => withoutAll(finding, everywhere)),
    ignored: unique(all.flatMap(({ ignored }) => ignored)),
    warnings: [...new Set(all.flatMap(({ warnings }) => warnings))],
  };
}

function joined(results: readonly VersionResult[]): readonly Finding[] {
  const found = new Map<string, Finding>();
  for (const { versions, result } of results) {
    for (const finding of result.findings) {
      const key = keyOf(finding);
      const known = found.get(key);
      found.set(key, known === undefined ? { ...finding, versions } : together(known, { ...finding, versions }));
    }
  }
  return [...found.values()];
}

/** Of what a version of Kubernetes does not have, the versions are a part of the fact. */
function together(a: Finding, b: Finding): Finding {
  const versions = [...(a.versions ?? []), ...(b.versions ?? [])];
  const { cause } = a.problem;
  if (!('versions' in cause) || !('versions' in b.problem.cause)) return { ...a, versions };
  const both = { ...cause, versions: [...cause.versions, ...b.problem.cause.versions] };
  return { ...a, problem: { ...a.problem, cause: both }, versions };
}

function withoutAll({ versions, ...finding }: Finding, everywhere: number): Finding {
  const isKnown = versions === undefined || versions.length === everywhere || 'versions' in finding.problem.cause;
  return isKnown ? finding : { ...finding, versions };
}

const unique = <T>(items: readonly T[]): readonly T[] => [
  ...new Map(items.map((item) => [JSON.stringify(item), item])).values(),
];

function keyOf({ problem: { subject, cause } }: Finding): string {
  return JSON.stringify([subject, { ...cause, versions: undefined }]);
}
