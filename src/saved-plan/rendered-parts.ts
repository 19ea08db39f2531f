import type { Rendered } from '../change/rendering/render.ts';

/** A document of a rendering. */
export interface Part {
  readonly source: string;
  readonly text: string;
  /** Of a hook: when and how it runs. */
  readonly settings: string;
}

/** All documents of a rendering, hooks last. */
export const partsOf = ({ manifests, hooks }: Pick<Rendered, 'manifests' | 'hooks'>): readonly Part[] => [
  ...manifests.map(({ source, text }) => ({ source, text, settings: '' })),
  ...hooks.map(({ manifest, path, lastRun: _lastRun, ...settings }) => ({
    source: path,
    text: manifest,
    settings: JSON.stringify({ ...settings, name: '' }),
  })),
];
