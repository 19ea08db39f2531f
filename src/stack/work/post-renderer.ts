import type { PostRenderer } from '../../render/post-renderer.ts';
import { postRendererOf } from '../patches/post-renderer.ts';
import { postRendererNameOf } from '../post-renderer-name.ts';
import type { StackFile } from '../read-stack.ts';
import type { Reading } from '../reading.ts';
import type { ReleaseSpec } from '../schema.ts';
import { refusedBy } from '../untrusted.ts';
import type { StackTools } from './tools.ts';

/** What the patches of a release make of its manifests, and then the post-renderer that it names. Errors: those of both. */
export function postRendererOfRelease(
  { release, file }: { readonly release: ReleaseSpec; readonly file: StackFile },
  reading: Reading,
  tools: Pick<StackTools, 'postRendererNamed'>,
): PostRenderer | undefined {
  const patch = postRendererOf(release, file, reading);
  const name = postRendererNameOf(release, file, reading);
  if (name === undefined) return patch;
  if (reading.world.untrusted !== undefined) {
    const field = 'postRenderer';
    const entry = release.postRenderer ? { field, release: release.name } : { field, part: 'helmDefaults' };
    throw refusedBy(`${file.locate(entry)}: the postRenderer runs the program ${name.program}`);
  }
  const render = tools.postRendererNamed(name, file);
  return patch === undefined ? render : async (manifests) => render(await patch(manifests));
}
