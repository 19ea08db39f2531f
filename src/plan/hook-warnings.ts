import { hookMistakes } from '../manifest/hook-mistakes.ts';
import { parseManifest } from '../manifest/parse.ts';
import type { Hook } from '../manifest/types.ts';

const keyWithRules = /helm\.sh\/hook-(?:weight|delete-policy|output-log-policy|delete-timeout)/;

/** Mistakes in the annotations of hooks, which Helm passes over (docs/ordering.md, 6). */
export const hookWarnings = (hooks: readonly Hook[]): readonly string[] =>
  hooks
    .filter(({ manifest }) => keyWithRules.test(manifest))
    .flatMap(({ manifest, path }) => {
      const { kind, metadata } = parseManifest(manifest, path).object;
      return hookMistakes(metadata.annotations ?? {}).map(
        ({ message }) => `${path}: ${kind}/${metadata.name}: ${message}`,
      );
    });
