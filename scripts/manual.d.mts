import type { Plugin as EsbuildPlugin } from 'esbuild';
import type { Plugin } from 'vitest/config';

export const manual: EsbuildPlugin;
export const manualOfTests: Plugin;
