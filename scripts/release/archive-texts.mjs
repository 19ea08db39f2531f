// The texts beside an executable in its archive: licence, notices, README and the pages that it links to.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { noticesText } from '../notices.mjs';

const folders = ['docs', 'examples'];

/** Paths below the archive's folder and their texts. */
export function archiveTexts(root) {
  const pages = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
      .map(({ parentPath, name }) => relative(root, join(parentPath, name))),
  );
  const paths = ['LICENSE', 'README.md', ...pages.sort()];
  const texts = paths.map((path) => {
    const text = readFileSync(join(root, path), 'utf8');
    return { path, text: path.endsWith('.md') ? withoutDeadLinks(path, text, new Set(paths)) : text };
  });
  return [...texts, { path: 'THIRD-PARTY-NOTICES', text: noticesOfExecutable(root) }];
}

/** Links to files that are only in the repository become their words. */
export function withoutDeadLinks(path, text, there) {
  const folders = new Set([...there].map((file) => dirname(file)));
  return text.replace(/(?<!!)\[([^\]\n]*)\]\(([^()\s]+)\)/g, (link, words, target) => {
    if (/^[a-z]+:|^#/.test(target)) return link;
    const file = normalize(join(dirname(path), target.replace(/#.*/, ''))).replace(/\/$/, '');
    return there.has(file) || folders.has(file) ? link : words;
  });
}

/** The bundle's packages, what is put beside the bundle, and the runtime. */
export function noticesOfExecutable(root) {
  return [
    readFileSync(join(root, 'dist/THIRD-PARTY-NOTICES'), 'utf8'),
    noticesText(root, ['node_modules/openpgp']),
    readFileSync(join(root, 'scripts/release/runtime-notices.txt'), 'utf8'),
  ].join(`\n${'-'.repeat(80)}\n\n`);
}
