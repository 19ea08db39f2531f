import type { Plugin } from 'esbuild';

export const rawTexts: Plugin;
