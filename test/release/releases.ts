import type { Release, ReleaseStatus } from '../../src/release/types.ts';

/** A small release for tests that only care about a few of its fields. */
export const releaseOf = (
  name: string,
  version = 1,
  status: ReleaseStatus = 'deployed',
  rest: Partial<Release> = {},
): Release => ({
  name,
  namespace: 'default',
  version,
  info: { status, firstDeployed: '2026-01-02T03:04:05Z', lastDeployed: '2026-01-02T03:04:05Z' },
  chart: { metadata: { name: 'app', version: '1.0.0', apiVersion: 'v2' }, templates: [], values: new Map(), files: [] },
  config: new Map(),
  manifest: '',
  hooks: [],
  labels: {},
  ...rest,
});
