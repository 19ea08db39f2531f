import { messageOf, TshelmError } from '../support/errors.ts';

/** What a chart is told of the cluster's version. */
export interface KubeVersion {
  /** In full: `v1.33.4-gke.1245000`. */
  readonly version: string;
  /** For constraints: `v1.33.4`; '' for the version that a cluster reported. */
  readonly normalized: string;
  readonly major: string;
  readonly minor: string;
}

/** Reads `--kube-version`. Throws an Error as k8s.io/apimachinery's version.ParseGeneric words it. */
export function parseKubeVersion(text: string): KubeVersion {
  const numbers = /^[\t\n\f\r ]*v?([0-9]+(?:\.[0-9]+)*)/.exec(text)?.[1];
  if (numbers === undefined || text.includes('\n', 1)) throw new Error(`could not parse ${quoted(text)} as version`);
  const components = numbers.split('.');
  if (components.length < 2) throw new Error(`illegal version string ${quoted(text)}`);
  const [major = '', minor = ''] = components;
  if (/^0./.test(major)) {
    throw new Error(`illegal zero-prefixed version component ${quoted(major)} in ${quoted(text)}`);
  }
  return {
    version: text.startsWith('v') ? text : `v${text}`,
    normalized: `v${components.map((component) => BigInt(component)).join('.')}`,
    major: String(BigInt(major)),
    minor: String(BigInt(minor)),
  };
}

/** The same, as the command line takes it. Fails with `invalid-kube-version`. */
export function readKubeVersion(text: string): KubeVersion {
  try {
    return parseKubeVersion(text);
  } catch (cause) {
    const message = `invalid kube version '${text}': ${messageOf(cause)}`;
    throw new TshelmError('invalid-kube-version', { message, details: { kubeVersion: text }, cause });
  }
}

const quoted = (text: string): string => JSON.stringify(text);

/** The version that charts are compared with: constraints ignore what follows the numbers. */
export const constraintVersion = (version: KubeVersion): string =>
  version.normalized === '' ? version.version : version.normalized;
