import { defineConfig } from 'vitest/config';

// A project that has tshelm in its node_modules needs no config. Here the package is the folder above, and the machine busy.
export default defineConfig({ test: { testTimeout: 60_000, server: { deps: { external: [/\/dist\//] } } } });
