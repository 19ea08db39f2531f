// The notices of the packages that a bundle contains, as their licences ask for.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folders of the packages whose files are in what esbuild made, below `root`: `node_modules/js-yaml`. */
export function packagesIn(metafiles) {
  const files = metafiles.flatMap(({ outputs }) =>
    Object.values(outputs).flatMap(({ inputs }) =>
      Object.entries(inputs).flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? [file] : [])),
    ),
  );
  const folders = files.flatMap((file) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? []);
  return [...new Set(folders)].sort((a, b) => (a < b ? -1 : 1));
}

/**
 * One text with name, version, licence and notices of each package; of a licence that several have word for word, the first
 * has the text. A package without a licence fails.
 */
export function noticesText(root, folders) {
  const firstWith = new Map();
  return folders.map((folder) => noticeOf(root, join(root, folder), firstWith)).join(`\n${'-'.repeat(80)}\n\n`);
}

/** A package that is under Apache-2.0 and has no copy of it gets the project's, which is the same text. */
function noticeOf(root, folder, firstWith) {
  const { name, version, license, homepage } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const texts = readdirSync(folder)
    .filter((file) => /^(?:licen[cs]e|notice|copying|copyright)/i.test(file))
    .sort()
    .map((file) => readFileSync(join(folder, file), 'utf8').trim());
  if (license === 'Apache-2.0' && texts.length === 0) texts.push(readFileSync(join(root, 'LICENSE'), 'utf8').trim());
  if (license === undefined || texts.length === 0) throw new Error(`${folder} says nothing of its licence`);
  const shown = texts.map((text) => {
    const first = firstWith.get(text);
    if (first === undefined) firstWith.set(text, name);
    return first === undefined ? text : `The text is the same, word for word, as that of ${first} above.`;
  });
  return `${name} ${version} (${license})${homepage === undefined ? '' : `\n${homepage}`}\n\n${shown.join('\n\n')}\n`;
}
