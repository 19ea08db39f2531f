import type { Plugin } from 'esbuild';

export const browserFiles: Plugin;
