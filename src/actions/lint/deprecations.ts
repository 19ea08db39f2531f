import type { KubeVersion } from '../../render/kube-version.ts';
import deprecatedApis from './deprecated-apis.json' with { type: 'json' };
import type { ObjectHead } from './object-head.ts';

/** When an API was or will be deprecated and removed, `1.22`, and what takes its place. */
interface Deprecation {
  readonly deprecated: string;
  readonly removed?: string;
  readonly replacement?: string;
}

/** Those that client-go knows (k8s.io/client-go v0.37.1), by `GROUP/VERSION KIND`. */
const deprecations: Readonly<Record<string, Deprecation>> = deprecatedApis;

/** What the API server would say of an object whose API is deprecated in its version. Go: rules.validateNoDeprecations. */
export function deprecationProblem(object: ObjectHead, kubeVersion: KubeVersion): string | undefined {
  const api = `${object.apiVersion ?? ''} ${object.kind ?? ''}`;
  const found = Object.hasOwn(deprecations, api) ? deprecations[api] : undefined;
  if (found === undefined || !isReached(found.deprecated, kubeVersion)) return undefined;
  const removed = found.removed === undefined ? '' : `, unavailable in v${found.removed}+`;
  const replacement = found.replacement === undefined ? '' : `; use ${found.replacement}`;
  return `${api} is deprecated in v${found.deprecated}+${removed}${replacement}`;
}

function isReached(version: string, current: KubeVersion): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [currentMajor, currentMinor] = [Number(current.major), Number(current.minor)];
  if (currentMajor === 0 && currentMinor === 0) return true;
  return major < currentMajor || (major === currentMajor && minor <= currentMinor);
}
