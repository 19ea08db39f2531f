import type { Plugin } from 'vitest/config';

export const browserScriptsOfTests: Plugin;
