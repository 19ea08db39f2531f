import type { Gate, Line } from './layout/types.ts';

/** A plan to be drawn: boxes in columns, one after another, with boxes inside. */
export interface Picture {
  readonly columns: readonly PictureColumn[];
  /** Both ends are boxes, or gates, of the same picture. */
  readonly arrows: readonly Line[];
  readonly gates: readonly Gate[];
}

export interface PictureColumn {
  /** `batch 2`; '' where there is but one. */
  readonly caption: string;
  readonly boxes: readonly PictureBox[];
}

export interface PictureBox {
  readonly id: string;
  readonly kind: 'step' | 'hook' | 'chart' | 'group' | 'resources' | 'release';
  readonly title: string;
  /** What it holds, as `Deployment/web`. */
  readonly contents: readonly string[];
  /** Why it is where it is, each as a sentence without a full stop. */
  readonly reasons: readonly string[];
  readonly inside?: Picture | undefined;
}
