import { ownWire } from '../../../src/cluster/http/http1/own-wire.ts';
import { nodeWire } from '../../../src/cluster/http/node-wire.ts';

/** Both ways of speaking HTTP; what holds for one holds for the other. */
export const wires = [
  { name: 'own', open: ownWire, env: {} },
  { name: 'node:http', open: nodeWire, env: { TSHELM_HTTP: 'node' } },
] as const;
