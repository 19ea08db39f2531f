import type { Plugin as EsbuildPlugin } from 'esbuild';
import type { Plugin } from 'vitest/config';

export const browserScriptsOfTests: Plugin;
export const browserScripts: EsbuildPlugin;
