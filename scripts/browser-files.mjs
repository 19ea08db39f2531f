import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** What takes the place of modules of Node under another name than theirs with `.browser.ts`; undefined: nothing does. */
const others = new Map([
  ['src/render/certificates/private-key.ts', 'src/render/certificates/placeholders.browser.ts'],
  ['src/render/certificates/x509.ts', 'src/render/certificates/placeholders.browser.ts'],
  ['src/actions/rendering/output-directory.ts', undefined],
]);

/** For bundles that browsers run: `x.browser.ts` in the place of `x.ts` (docs/decisions/browser-core.md). */
export const browserFiles = {
  name: 'browser-files',
  setup(build) {
    build.onResolve({ filter: /^\..*\.ts$/ }, ({ path, resolveDir }) => {
      const file = join(resolveDir, path);
      const name = relative(root, file);
      if (others.has(name)) {
        const other = others.get(name);
        return other === undefined ? { path: name, namespace: 'nothing' } : { path: join(root, other) };
      }
      const own = file.replace(/\.ts$/, '.browser.ts');
      return existsSync(own) ? { path: own } : undefined;
    });
    build.onLoad({ filter: /.*/, namespace: 'nothing' }, () => ({ contents: '' }));
  },
};
