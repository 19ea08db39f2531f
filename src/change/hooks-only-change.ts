import { storedHookModes } from '../plan/hook-modes.ts';
import type { Release } from '../release/types.ts';
import { noCrds } from './deploy/crds.ts';
import type { RenderedForReal } from './phases.ts';

/** A change that brings nothing and records nothing beforehand: only the hooks of the release take part. */
export const hooksOnlyChange = (
  release: Release,
): Omit<RenderedForReal, 'action' | 'plannedAs' | 'options' | 'order'> => ({
  lastPhase: 'finished',
  sight: 'served',
  namespace: release.namespace,
  history: [],
  release,
  recordedAs: undefined,
  manifests: [],
  hooks: release.hooks,
  hookModeOf: storedHookModes(release),
  crds: noCrds,
  warnings: [],
  isWeighed: false,
});
