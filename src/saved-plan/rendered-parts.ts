import type { Rendered } from '../change/rendering/render.ts';

/** What is random differs between two renders; what is made from the time does so some time apart. */
export const shiftedTime = (): Date => new Date(Date.now() + millisecondsApart);

/** A year, a month, a day, an hour, a minute and a second. */
const millisecondsApart = ((397 * 24 + 1) * 60 + 1) * 60_000 + 1000;

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
