import { type Capabilities, defaultCapabilities } from '../../render/capabilities.ts';
import { readKubeVersion } from '../../render/kube-version.ts';

export interface GivenCapabilities {
  readonly kubeVersion?: string | undefined;
  /** In addition to those that every cluster has. */
  readonly apiVersions?: readonly string[] | undefined;
}

/** What templates are told of a cluster that is not asked. Errors: `invalid-kube-version`. */
export function givenCapabilities({ kubeVersion, apiVersions = [] }: GivenCapabilities): Capabilities {
  const { kubeVersion: version, apiVersions: known } = defaultCapabilities;
  return {
    kubeVersion: kubeVersion === undefined || kubeVersion === '' ? version : readKubeVersion(kubeVersion),
    apiVersions: [...known, ...apiVersions],
  };
}
