import type { Cluster } from '../cluster/types.ts';
import { TshelmError } from '../support/errors.ts';
import { unknownDriver } from './driver-name.ts';
import { type KubernetesStorageOptions, kubernetesStorage } from './kubernetes-storage.ts';
import { memoryStorage } from './memory-storage.ts';
import type { ReleaseStorage } from './types.ts';

/**
 * The storage that a driver name of $HELM_DRIVER asks for: `secret` (also '' and `secrets`), `configmap` (`configmaps`),
 * `memory`. Errors: `unknown-driver`, before anything is asked.
 */
export function openStorage(driver: string, cluster: Cluster, options: KubernetesStorageOptions): ReleaseStorage {
  switch (driver) {
    case '':
    case 'secret':
    case 'secrets':
      return kubernetesStorage('Secret', cluster, options);
    case 'configmap':
    case 'configmaps':
      return kubernetesStorage('ConfigMap', cluster, options);
    case 'memory':
      return memoryStorage(options.namespace);
    case 'sql':
      throw new TshelmError('unknown-driver', {
        message:
          'HELM_DRIVER=sql is not supported: tshelm keeps releases in Secrets or ConfigMaps of the cluster, not in a database; use helm for releases in one',
        details: { driver },
      });
    default:
      throw unknownDriver(driver);
  }
}
