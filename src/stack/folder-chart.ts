import { basename, join, relative, resolve } from 'node:path';
import { chartFromFiles } from '../chart/assemble.ts';
import { ignoreNotices } from '../chart/notice.ts';
import type { Chart } from '../chart/types.ts';
import { encodeText } from '../go/text.ts';
import { trimSuffix } from '../support/text.ts';
import { readPlainYaml, writePlainYamlInOrder } from '../yaml/index.ts';
import { kustomized } from './kustomize.ts';
import { inNamespace } from './patches/namespace.ts';
import type { StackFile } from './read-stack.ts';
import { invalid, type Reading } from './reading.ts';
import { releaseData } from './release-templates.ts';
import { textsOfRelease } from './release-values.ts';
import type { ReleaseSpec } from './schema.ts';
import { renderedFile } from './values-files.ts';

interface FolderRequest {
  readonly release: ReleaseSpec;
  readonly file: StackFile;
  /** As the release names it. */
  readonly folder: string;
}

/** Whether a folder that a release names as its chart is none, but a Kustomization or manifests. */
export const isChartless = (path: string, { world }: Reading): boolean =>
  world.kindOf(path) === 'directory' && world.kindOf(join(path, 'Chart.yaml')) === undefined;

/**
 * A Kustomization, or a folder of manifests, as the chart that helmfile makes of it (chartify). Nothing in the manifests is
 * a template any more. Errors: `stack-invalid`, `stack-kustomize-failed`.
 */
export async function chartOfFolder(request: FolderRequest, reading: Reading): Promise<Chart> {
  const { file, folder, release } = request;
  const path = resolve(file.place.cwd, folder);
  const isKustomization = reading.world.kindOf(join(path, 'kustomization.yaml')) === 'file';
  const manifests = isKustomization ? [await builtFrom(path, request, reading)] : manifestsIn(path, request, reading);
  const modifiedAt = new Date(0);
  const head = { apiVersion: 'v2', name: basename(path), version: release.version ?? '1.0.0' };
  const files = manifests.flatMap(({ name, text }) => [
    { name: `files/templates/${name}`, data: encodeText(text), modifiedAt },
    {
      name: `templates/${name}`,
      data: encodeText(`{{ .Files.Get "files/templates/${name}" }}`),
      modifiedAt,
    },
  ]);
  const chartFile = { name: 'Chart.yaml', data: encodeText(writePlainYamlInOrder(head)), modifiedAt };
  return chartFromFiles([chartFile, ...files], { origin: path, notify: ignoreNotices });
}

interface NamedText {
  readonly name: string;
  readonly text: string;
}

/** All `.yaml` and `.yml` below a folder, templates carried out, in the release's namespace where they name none. */
function manifestsIn(path: string, { release, file }: FolderRequest, reading: Reading): readonly NamedText[] {
  const { world } = reading;
  const walk = (folder: string): readonly string[] =>
    world.list(folder).flatMap((name) => {
      const one = join(folder, name);
      return world.kindOf(one) === 'directory' ? walk(one) : [one];
    });
  const found = walk(path).filter((name) => /ya?ml(?:\.gotmpl)?$/.test(name));
  const texts = found.map((name) => ({
    name: trimSuffix(relative(path, name), '.gotmpl'),
    text: renderedFile(name, reading, () => releaseData(release, file)),
  }));
  // What a template prints takes the place of a file of its name.
  const last = new Map(texts.map((one) => [one.name, one]));
  const namespace = release.forceNamespace ?? release.namespace;
  if (namespace === undefined) return [...last.values()];
  return [...last.values()].map(({ name, text }) => ({ name, text: inNamespace(text, namespace) }));
}

const settings = ['images', 'namePrefix', 'nameSuffix', 'namespace'] as const;

/** What `kustomize` builds of a folder, with what the release's values say of images, names and the namespace. */
async function builtFrom(path: string, request: FolderRequest, reading: Reading): Promise<NamedText> {
  const { release, file } = request;
  const own = settingsOf(request, reading);
  const namespace = release.namespace === undefined ? {} : { namespace: release.namespace };
  const fields = (folder: string) => ({ resources: [relative(folder, path)], ...own, ...namespace });
  const flags = ['--load-restrictor=LoadRestrictionsNone', '--enable-alpha-plugins', '--enable-helm'];
  return { name: 'kustomized.yaml', text: await kustomized({ fields, flags }, release, file, reading) };
}

function settingsOf({ release, file }: FolderRequest, reading: Reading): Readonly<Record<string, unknown>> {
  if ((release.set?.length ?? 0) + (release.setString?.length ?? 0) > 0) {
    const message = `${file.place.file}: release ${release.name ?? ''}: set is not supported for a Kustomization; use values`;
    throw invalid(file.place.file, message);
  }
  const own: Record<string, unknown> = {};
  for (const { text } of textsOfRelease(release, file, reading)) {
    const values = (readPlainYaml(text) ?? {}) as Readonly<Record<string, unknown>>;
    for (const name of settings) if (values[name] !== undefined) own[name] = values[name];
  }
  return own;
}
