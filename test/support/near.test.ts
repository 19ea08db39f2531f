import { expect, test } from 'vitest';
import { nearest } from '../../src/support/near.ts';

test.each([
  ['contianers', ['containers', 'initContainers', 'volumes'], 'containers'],
  ['Deploymnt', ['Deployment', 'DaemonSet'], 'Deployment'],
  ['configmap', ['ConfigMap', 'Secret'], 'ConfigMap'],
  ['initialDelay', ['initialDelaySeconds', 'periodSeconds'], 'initialDelaySeconds'],
  ['port', ['ports', 'port2'], undefined],
  ['host', ['name', 'image'], undefined],
  ['ab', ['cd', 'a'], undefined],
  ['same', ['same'], undefined],
])('%s among %s: %s', (word, names, meant) => expect(nearest(word, names)).toBe(meant));
