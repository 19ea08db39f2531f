import { splitDocuments } from '../../manifest/split.ts';
import type { PostRenderer } from '../../render/post-renderer.ts';
import { readPlainYaml, writePlainYaml } from '../../yaml/index.ts';
import { kustomized } from '../kustomize.ts';
import type { StackFile } from '../read-stack.ts';
import { absolute, type Reading } from '../reading.ts';
import type { ReleaseSpec } from '../schema.ts';
import { applyPatches } from './apply-patches.ts';
import { inNamespace } from './namespace.ts';
import { patchesOf } from './read-patches.ts';

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

/**
 * Manifests after kustomize's transformers, which the program `kustomize` runs. Files that a transformer names as its
 * `path` are found from the folder of the state file. Errors: `stack-kustomize-failed`.
 */
async function transformed(
  manifests: string,
  transformers: readonly string[],
  { release, file }: { readonly release: ReleaseSpec; readonly file: StackFile },
  reading: Reading,
): Promise<string> {
  if (manifests.trim() === '') return manifests;
  const files: Record<string, string> = { 'manifests.yaml': manifests };
  const names = transformers.map((text, index) => {
    const name = `transformers/${index}.yaml`;
    files[name] = splitDocuments(text)
      .map((document) => withFile(readPlainYaml(document)))
      .map(writePlainYaml)
      .join('---\n');
    return name;
  });

  function withFile(config: unknown): unknown {
    if (Array.isArray(config)) return config.map(withFile);
    const path = (config as { path?: unknown } | null)?.path;
    if (typeof path !== 'string') return config;
    const found = absolute(file.place, path);
    if (reading.world.kindOf(found) !== 'file') return config;
    const name = `files/${Object.keys(files).length}.yaml`;
    files[name] = reading.world.readFile(found);
    return { ...(config as object), path: name };
  }

  const fields = () => ({ resources: ['manifests.yaml'], transformers: names });
  return kustomized({ fields, files, flags: ['--enable-alpha-plugins'] }, release, file, reading);
}
