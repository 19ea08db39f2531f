// The playground's engine: what a worker of the page runs, as one script (src/playground).
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { browserFiles } from '../browser-files.mjs';
import { browserScripts } from '../browser-script.mjs';
import { rawTexts } from '../raw-texts.mjs';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** scripts/browser-files.mjs says what replaces modules of Node; one that is left fails the build. */
export const buildEngine = (outfile) =>
  build({
    absWorkingDir: root,
    entryPoints: ['src/playground/worker.ts'],
    outfile,
    bundle: true,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    minify: true,
    define: { TSHELM_VERSION: '"playground"', TSHELM_COMMIT: '""' },
    legalComments: 'none',
    logLevel: 'warning',
    plugins: [browserFiles, browserScripts, rawTexts],
  });
