import type { PostRenderer } from '../../render/post-renderer.ts';
import type { StackFile } from '../read-stack.ts';
import type { Reading } from '../reading.ts';
import type { ReleaseSpec } from '../schema.ts';
import { applyPatches } from './apply-patches.ts';
import { inNamespace } from './namespace.ts';
import { patchesOf } from './read-patches.ts';
import { transformed } from './transform.ts';

/**
 * What changes the manifests of a release once its chart is rendered: `forceNamespace`, then patches, then transformers;
 * undefined where nothing does. Errors: those of patchesOf at once; `stack-patch-failed` and `stack-kustomize-failed`
 * when it runs.
 */
export function postRendererOf(release: ReleaseSpec, file: StackFile, reading: Reading): PostRenderer | undefined {
  const { name = '', forceNamespace } = release;
  const patches = patchesOf(release, file, reading);
  if (patches === undefined && forceNamespace === undefined) return undefined;
  return async (manifests) => {
    const placed = forceNamespace === undefined ? manifests : inNamespace(manifests, forceNamespace);
    if (patches === undefined) return placed;
    const patched = applyPatches(placed, patches, name);
    if (patches.transformers.length === 0) return patched;
    return transformed(patched, patches.transformers, { release, file }, reading);
  };
}
