import { basename, extname, resolve } from 'node:path';
import { messageOf } from '../support/errors.ts';
import type { StackFile } from './read-stack.ts';
import { absolute, invalid, type Reading } from './reading.ts';
import { releaseData } from './release-templates.ts';
import type { ReleaseSpec } from './schema.ts';

/** A post-renderer: the plugin where there is one of that name, else the executable. */
export interface PostRendererName {
  readonly plugin: string | undefined;
  readonly program: string;
  readonly args: readonly string[] | undefined;
}

/**
 * The `postRenderer` of a release, else of the state's defaults. A script's name without its ending is that of a plugin, as
 * helmfile tells Helm 4; without such a plugin the script itself runs, as with Helm 3. Errors: `stack-invalid`.
 */
export function postRendererNameOf(
  release: ReleaseSpec,
  file: StackFile,
  reading: Reading,
): PostRendererName | undefined {
  const name = release.postRenderer || file.spec.helmDefaults?.postRenderer || '';
  if (name === '') return undefined;
  const isPath = name.includes('/');
  const isScript = /\.(?:ba)?sh$/.test(name);
  return {
    plugin: isScript ? basename(name, extname(name)) : isPath ? undefined : name,
    program: isPath ? resolve(file.place.cwd, name) : name,
    args: argsOf(release, file, reading).filter((arg) => arg !== ''),
  };
}

/** Those of the release have been rendered with it. */
function argsOf(release: ReleaseSpec, file: StackFile, reading: Reading): readonly string[] {
  const { postRendererArgs: own = [] } = release;
  if (own.length > 0) return own;
  const renderer = reading.renderers.in(absolute(file.place, file.place.base));
  return (file.spec.helmDefaults?.postRendererArgs ?? []).map((arg) => {
    try {
      return renderer.render(arg, releaseData(release, file));
    } catch (cause) {
      const message = `failed rendering postRendererArg ${JSON.stringify(arg)} for release ${JSON.stringify(release.name ?? '')}: ${messageOf(cause)}`;
      throw invalid(file.place.file, message, cause);
    }
  });
}
