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

/** `./lazy-cel-js.js` of `@marcbachmann/cel-js`, `./lazy-vscode-languageserver.js` of `vscode-languageserver/node` */
export const lazyFileOf = (name, folder = '.') =>
  `${folder}/lazy-${name.replace(/^@[^/]*\//, '').replace(/\/.*/, '')}.js`;
