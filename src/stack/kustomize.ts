import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { GoError } from '../go/value.ts';
import { withTemporaryFolder } from '../support/directories.ts';
import { hasCode, messageOf, TshelmError } from '../support/errors.ts';
import { writePlainYamlInOrder } from '../yaml/index.ts';
import { withLocation } from './location.ts';
import type { StackFile } from './read-stack.ts';
import type { Reading } from './reading.ts';
import type { ReleaseSpec } from './schema.ts';

/** A Kustomization that is made for one build. */
export interface Kustomization {
  /** Its fields, by the folder that it will be in; paths in them are relative to that. */
  readonly fields: (folder: string) => Readonly<Record<string, unknown>>;
  /** What is beside it, by name. */
  readonly files?: Readonly<Record<string, string>> | undefined;
  readonly flags: readonly string[];
}

/**
 * What the program `kustomize` (or `kustomizeBinary` of the state) builds for a release. Errors: `stack-kustomize-failed`
 * with what the program said, or that it is missing.
 */
export async function kustomized(
  { fields, files = {}, flags }: Kustomization,
  release: ReleaseSpec,
  file: StackFile,
  reading: Reading,
): Promise<string> {
  const build = async (folder: string): Promise<string> => {
    const own = { apiVersion: 'kustomize.config.k8s.io/v1beta1', kind: 'Kustomization', ...fields(folder) };
    const texts = { ...files, 'kustomization.yaml': writePlainYamlInOrder(own) };
    for (const [name, text] of Object.entries(texts)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    const [command = 'kustomize', ...before] = (file.spec.kustomizeBinary ?? 'kustomize').split(' ');
    const args = [...before, ...(command === 'kubectl' ? [] : ['build']), ...flags, folder];
    return reading.world.start({ command, args, cwd: folder });
  };
  try {
    return await withTemporaryFolder('tshelm-kustomize-', build);
  } catch (cause) {
    if (hasCode(cause, 'stack-untrusted')) throw withLocation(cause, () => locationOfBuild(release, file));
    if (!(cause instanceof GoError)) throw cause;
    throw new TshelmError('stack-kustomize-failed', {
      message: `release ${release.name ?? ''} of ${file.source}: ${messageOf(cause)}`,
      details: { release: release.name ?? '' },
      cause,
    });
  }
}

const locationOfBuild = ({ name, transformers }: ReleaseSpec, file: StackFile): string =>
  file.locate({ field: transformers === undefined ? 'chart' : 'transformers', release: name });
