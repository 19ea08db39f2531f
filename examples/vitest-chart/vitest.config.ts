import { defineConfig } from 'vitest/config';

// A project that has tshelm in its node_modules needs no config. Here the package is the folder above.
export default defineConfig({ test: { server: { deps: { external: [/\/dist\//] } } } });
