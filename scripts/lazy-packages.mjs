/**
 * Packages that most commands never call: each is a file of its own (`lazy-NAME.js`), which the launcher loads at the
 * first use. They must be imported by name (`import { x } from 'y'`), and not be used while a module loads.
 */
export const lazyPackages = [
  '@marcbachmann/cel-js',
  'age-encryption',
  'bcryptjs',
  'handlebars',
  're2js',
  'smol-toml',
  'vscode-languageserver/node',
];

/**
 * Modules of ours that are such a file too: the door to several packages, built with these, and tables that the command line
 * and the library would otherwise hold once each.
 */
export const lazyDoors = {
  'src/sigstore/packages.ts': 'sigstore',
  'src/kinds/data.ts': 'kinds',
  'src/sandbox/protobuf/data.ts': 'protobuf',
};

/** Packages that are replaced by a file of ours: what asks for them is never called. */
export const replacedPackages = {
  'make-fetch-happen': './scripts/no-fetch.cjs',
  // Handlebars maps what it compiles only for those who ask for a map, and does without the package.
  'source-map': './scripts/no-source-map.cjs',
};

/** The names that are resolved to a file of their own. */
export const lazyEntries = [...lazyPackages, ...Object.keys(lazyDoors)];

/** `./lazy-cel-js.js` of `@marcbachmann/cel-js`, `./lazy-vscode-languageserver.js` of `vscode-languageserver/node` */
export const lazyFileOf = (name, folder = '.') =>
  `${folder}/lazy-${lazyDoors[name] ?? name.replace(/^@[^/]*\//, '').replace(/\/.*/, '')}.js`;
