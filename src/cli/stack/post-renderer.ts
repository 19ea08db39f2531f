import type { PostRenderer } from '../../render/post-renderer.ts';
import { postRendererOf } from '../../stack/patches/post-renderer.ts';
import { postRendererNameOf } from '../../stack/post-renderer-name.ts';
import type { StackFile } from '../../stack/read-stack.ts';
import type { Reading } from '../../stack/reading.ts';
import type { ReleaseSpec } from '../../stack/schema.ts';
import { postRendererNamed } from '../chart-flags.ts';
import type { CliContext } from '../context.ts';
import type { GlobalFlags } from '../settings.ts';

/** What the patches of a release make of its manifests, and then the post-renderer that it names. Errors: those of both. */
export function postRendererOfRelease(
  { release, file }: { readonly release: ReleaseSpec; readonly file: StackFile },
  reading: Reading,
  flags: GlobalFlags,
  context: CliContext,
): PostRenderer | undefined {
  const patch = postRendererOf(release, file, reading);
  const name = postRendererNameOf(release, file, reading);
  if (name === undefined) return patch;
  const render = postRendererNamed(name, flags, context);
  return patch === undefined ? render : async (manifests) => render(await patch(manifests));
}
