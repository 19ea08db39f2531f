// What other installers need, made of the archives of a release: a Homebrew formula, a Scoop manifest, a Nix expression
// and an install script, each with the checksums of the archives, and packages for Debian.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { fileEntry, folderEntry, tarGz } from './tar.mjs';

const folder = join(import.meta.dirname, 'packages');

/**
 * The files that download from `home`, the address of the repository, by their names. `checksums`: SHA-256 in hexadecimal
 * by target; `npm` is the npm package's. Errors: where one is missing.
 */
export function installers({ version, home, checksums }) {
  const downloads = `${home}/releases/download/v${version}`;
  const words = { VERSION: version, HOME: home, DOWNLOADS: downloads };
  const filled = (text, name) =>
    text.replaceAll(/@([A-Z0-9]+)(?: ([a-z0-9-]+))?@/g, (_mark, word, target) => {
      const value = target === undefined ? words[word] : checksums[target];
      if (value === undefined) throw new Error(`${name} needs ${word} ${target ?? ''}, which was not made`);
      return value;
    });
  return readdirSync(folder).map((name) => ({ name, text: filled(readFileSync(join(folder, name), 'utf8'), name) }));
}

/** Where Debian has what archives hold. */
function debianPath(path) {
  const completions = {
    'tshelm.bash': 'bash-completion/completions/tshelm',
    _tshelm: 'zsh/vendor-completions/_tshelm',
    'tshelm.fish': 'fish/vendor_completions.d/tshelm.fish',
  };
  const [top, ...rest] = path.split('/');
  if (path === 'tshelm') return 'usr/bin/tshelm';
  if (top === 'man') return `usr/share/${path}`;
  if (top === 'completions') return completions[rest[0]] && `usr/share/${completions[rest[0]]}`;
  return undefined;
}

/** A package for Debian, of the files of an archive: `path`, `content`, `mode`. The same files give the same bytes. */
export async function debianPackage({ version, processor, maintainer, files, madeAt }) {
  const data = files.flatMap(({ path, content, mode }) => {
    const there = debianPath(path);
    if (there === undefined) return [];
    return [{ path: there, content, mode }];
  });
  const notices = files.find(({ path }) => path === 'THIRD-PARTY-NOTICES').content;
  const changes = gzipSync(changelog({ version, maintainer, madeAt }), { level: 9 });
  data.push({ path: 'usr/share/doc/tshelm/copyright', content: copyright(notices, madeAt), mode: 0o644 });
  data.push({ path: 'usr/share/doc/tshelm/changelog.gz', content: changes, mode: 0o644 });
  data.push({ path: 'usr/share/lintian/overrides/tshelm', content: Buffer.from(lintianOverrides), mode: 0o644 });
  const size = data.reduce((sum, { content }) => sum + content.length, 0);
  const control = controlText({ version, processor, maintainer, kibibytes: Math.ceil(size / 1024) });
  return ar(
    [
      ['debian-binary', Buffer.from('2.0\n')],
      ['control.tar.gz', await tarred([{ path: 'control', content: Buffer.from(control), mode: 0o644 }], madeAt)],
      ['data.tar.gz', await tarred(data, madeAt)],
    ],
    madeAt,
  );
}

/** What lintian says of the executable, which is Bun's runtime with the program behind it: neither is built here. */
const lintianOverrides = `# Bun's runtime as it is published, with the program behind it: stripped, it would lose the program.
tshelm: unstripped-binary-or-object [usr/bin/tshelm]
tshelm: embedded-library libjpeg [usr/bin/tshelm]
tshelm: hardening-no-pie [usr/bin/tshelm]
tshelm: hardening-no-relro [usr/bin/tshelm]
`;

const copyright = (notices, madeAt) =>
  Buffer.concat([
    Buffer.from(
      `Copyright ${madeAt.getUTCFullYear()} the authors of tshelm\n\ntshelm is under the Apache License 2.0, on Debian in /usr/share/common-licenses/Apache-2.0.\nIt contains:\n\n`,
    ),
    Buffer.from(
      notices
        .toString('utf8')
        .replaceAll(wholeApacheLicense, '$1On Debian, its text is in /usr/share/common-licenses/Apache-2.0.\n'),
    ),
  ]);

/** Debian has it once for all packages. */
const wholeApacheLicense =
  /( *Apache License\n *Version 2\.0, January 2004\n) *https?:\/\/www\.apache\.org\/licenses\/?\s+TERMS AND CONDITIONS FOR USE[^]*?END OF TERMS AND CONDITIONS\n/g;

const changelog = ({ version, maintainer, madeAt }) => {
  const date = madeAt.toUTCString().replace('GMT', '+0000');
  return `tshelm (${debianVersion(version)}) unstable; urgency=medium\n\n  * Release ${version}.\n\n -- ${maintainer}  ${date}\n`;
};

/** A version of npm; what comes before 1.0.0, such as 1.0.0-rc.1, comes before it in Debian too. */
const debianVersion = (version) => version.replace('-', '~');

const controlText = ({ version, processor, maintainer, kibibytes }) => `Package: tshelm
Version: ${debianVersion(version)}
Architecture: ${processor}
Maintainer: ${maintainer}
Installed-Size: ${kibibytes}
Depends: libc6 (>= 2.17)
Section: admin
Priority: optional
Description: Helm-compatible deploy tool for Kubernetes
 Takes the charts, flags and release records of Helm, deploys in order and in
 parallel, and says what went wrong.
`;

/** With the folders, which dpkg wants to own. */
function tarred(files, madeAt) {
  const folders = new Set(
    files.flatMap(({ path }) =>
      path
        .split('/')
        .slice(0, -1)
        .map((_, at, all) => all.slice(0, at + 1).join('/')),
    ),
  );
  return tarGz([
    ...[...folders].map((folder) => folderEntry(`./${folder}/`, madeAt)),
    ...files.map((file) => fileEntry(`./${file.path}`, file, madeAt)),
  ]);
}

/** The archive format of deb(5): a line of 60 bytes before each file, which begins at an even place. */
function ar(files, madeAt) {
  const seconds = String(Math.floor(madeAt.getTime() / 1000));
  const parts = files.flatMap(([name, content]) => {
    const head = [name.padEnd(16), seconds.padEnd(12), '0'.padEnd(6), '0'.padEnd(6), '100644'.padEnd(8)].join('');
    return [
      Buffer.from(`${head}${String(content.length).padEnd(10)}\`\n`),
      content,
      Buffer.alloc(content.length % 2, '\n'),
    ];
  });
  return Buffer.concat([Buffer.from('!<arch>\n'), ...parts]);
}
