// Links of a built site that lead nowhere, as `page.html: link`: each link to a file of the site, or to a place in one.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** The pages of a site, by their paths in its folder. */
export const htmlPages = (site) =>
  readdirSync(site, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.html') && name !== '404.html')
    .sort();

/** The file that answers for a path. */
export function fileAt(site, path) {
  const file = join(site, path);
  return existsSync(file) && statSync(file).isDirectory() ? join(file, 'index.html') : file;
}

export function deadLinksOf(site) {
  const texts = new Map(htmlPages(site).map((name) => [name, readFileSync(join(site, name), 'utf8')]));
  const anchors = new Map([...texts].map(([name, text]) => [name, anchorsOf(text)]));
  return [...texts].flatMap(([name, text]) => {
    const links = [...text.matchAll(/<(?:a|link)\b[^>]*?\shref="([^"]*)"/g)].map(([, link]) => unescaped(link));
    return [...new Set(links)]
      .filter((link) => isDead(link, name, { site, anchors }))
      .map((link) => `${name}: ${link}`);
  });
}

const anchorsOf = (text) => new Set([...text.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => unescaped(id)));

const unescaped = (text) =>
  text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

function isDead(link, from, { site, anchors }) {
  if (/^[a-z]+:/.test(link)) return false;
  const [path, anchor = ''] = link.split('#');
  const decoded = decodeURIComponent(path);
  const target =
    path === '' ? from : normalize(decoded.startsWith('/') ? decoded.slice(1) : join(dirname(from), decoded));
  const file = fileAt(site, target);
  if (!existsSync(file)) return true;
  const known = anchors.get(file.slice(join(site, '/').length));
  return anchor !== '' && known !== undefined && !known.has(decodeURIComponent(anchor));
}
