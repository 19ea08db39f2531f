import { createColors } from 'picocolors';

/** Colours that are always on: whether to use them is decided where they are asked for. */
export const colors = createColors(true);
