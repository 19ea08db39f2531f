import type { PostRenderer } from '../../render/post-renderer.ts';
import type { StackFile } from '../read-stack.ts';
import type { Reading } from '../reading.ts';
import type { ReleaseSpec } from '../schema.ts';
import { applyPatches } from './apply-patches.ts';
import { patchesOf } from './read-patches.ts';

/**
 * What changes the manifests of a release once its chart is rendered; undefined where nothing does. Errors: those of
 * patchesOf at once; `stack-patch-failed` when it runs.
 */
export function postRendererOf(release: ReleaseSpec, file: StackFile, reading: Reading): PostRenderer | undefined {
  const patches = patchesOf(release, file, reading);
  if (patches === undefined) return undefined;
  return async (manifests) => applyPatches(manifests, patches, release.name ?? '');
}
