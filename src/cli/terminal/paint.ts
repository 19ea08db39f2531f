import type { Settings } from '../settings.ts';
import type { Io, Output } from './io.ts';

/** What is painted, by its meaning. */
export interface Paint {
  busy(text: string): string;
  good(text: string): string;
  bad(text: string): string;
  dim(text: string): string;
  strong(text: string): string;
  /** A text in the colour of a pod. */
  pod(name: string, text: string): string;
}

const asItIs = (text: string): string => text;
export const noPaint: Paint = {
  busy: asItIs,
  good: asItIs,
  bad: asItIs,
  dim: asItIs,
  strong: asItIs,
  pod: (_name, text) => text,
};

/** Colours, where the output shows them. */
export async function paintFor(
  { color }: Pick<Settings, 'color'>,
  { isTerminal }: Pick<Output, 'isTerminal'>,
): Promise<Paint> {
  if (color === 'never' || (color === 'auto' && !isTerminal)) return noPaint;
  const { colors, podPaint } = await import('./colors.ts');
  const { bold: strong, cyan: busy, dim, green: good, red: bad } = colors;
  return { busy, good, bad, dim, strong, pod: podPaint };
}

/** Colours of an error: what a pipe or a build gets is the same with and without --color. */
export const errorPaintFor = (settings: Pick<Settings, 'color'>, io: Pick<Io, 'stderr' | 'env'>): Promise<Paint> =>
  io.stderr.isTerminal && io.env['TERM'] !== 'dumb' && !io.env['CI']
    ? paintFor(settings, io.stderr)
    : Promise.resolve(noPaint);
