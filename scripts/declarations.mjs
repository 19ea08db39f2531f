// Declarations that TypeScript has written for modules, cut down to what some of them need. Statements stand at the
// beginning of a line there, and what belongs to them is indented or closes them, so no parser is needed.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/**
 * Keeps in a folder of `.d.ts` files only what the faces (`index.d.ts`, …) lead to, declaration by declaration, and lets
 * them import `./x.js`. Fails where a package's types would be needed. Gives what is kept, by name, for each face.
 */
export function cutDown(folder, faces) {
  const modules = new Map();
  const moduleAt = (path) => {
    if (!modules.has(path)) modules.set(path, readModule(path));
    return modules.get(path);
  };
  const marker = new Marker(moduleAt, (path) => relative(folder, path));
  for (const face of faces) marker.keepWhole(join(folder, face));
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.d.ts')) continue;
    const path = join(folder, name);
    const module = modules.get(path);
    if (module === undefined || !module.isKept) rmSync(path);
    else writeFileSync(path, textOf(module));
  }
  return Object.fromEntries(faces.map((face) => [face, marker.exportsOf(join(folder, face))]));
}

class Marker {
  #moduleAt;
  #nameOf;

  constructor(moduleAt, nameOf) {
    this.#moduleAt = moduleAt;
    this.#nameOf = nameOf;
  }

  /** Everything that a face says. */
  keepWhole(path) {
    const module = this.#moduleAt(path);
    module.isKept = true;
    for (const statement of module.statements) this.#keep(statement, module);
    for (const names of module.reexports) for (const name of names.specifiers) this.#reexport(module, names, name);
  }

  /** What a module exports by this name, and what that needs. */
  #need(path, exported) {
    const module = this.#moduleAt(path);
    module.isKept = true;
    const reexport = module.reexports.find(({ specifiers }) => specifiers.some(({ as }) => as === exported));
    if (reexport !== undefined) {
      const specifier = reexport.specifiers.find(({ as }) => as === exported);
      this.#reexport(module, reexport, specifier);
    }
    this.#keepNamed(exported, module);
  }

  #reexport(module, names, specifier) {
    if (specifier.isKept) return;
    specifier.isKept = true;
    if (names.from === undefined) this.#keepUsed(specifier.name, module);
    else this.#follow(names.from, specifier.name);
  }

  #keepNamed(name, module) {
    for (const statement of module.statements) if (statement.name === name) this.#keep(statement, module);
  }

  #keep(statement, module) {
    if (statement.isKept) return;
    statement.isKept = true;
    if (statement.imports !== undefined) this.#keepAugmentations(statement.imports);
    for (const [, from, name] of statement.code.matchAll(/import\("([^"]+)"\)\.(\w+)/g))
      this.#follow({ path: join(dirname(module.path), declarationOf(from)), name: from }, name);
    for (const name of new Set(statement.code.match(/[A-Za-z_$][\w$]*/g))) this.#keepUsed(name, module);
  }

  /** What a module calls by this name: its own, or what it imports. */
  #keepUsed(name, module) {
    this.#keepNamed(name, module);
    for (const names of module.imports) {
      const specifier = names.specifiers.find(({ as }) => as === name);
      if (specifier === undefined || specifier.isKept) continue;
      specifier.isKept = true;
      this.#follow(names.from, specifier.name);
    }
  }

  /** Of a module that is imported for what it adds to others' types. */
  #keepAugmentations(path) {
    const module = this.#moduleAt(path);
    module.isKept = true;
    for (const statement of module.statements) if (statement.isAugmentation) this.#keep(statement, module);
  }

  #follow({ path, name }, exported) {
    if (path !== undefined) this.#need(path, exported);
    else if (!name.startsWith('node:')) throw new Error(`the library's types need ${exported} of the package ${name}`);
  }

  /** The declarations that a face exports, by name, with the text of each. */
  exportsOf(path) {
    const found = new Map();
    for (const { from, specifiers } of this.#moduleAt(path).reexports) {
      for (const { name, as } of specifiers) found.set(as, this.#declared(from.path, name));
    }
    return found;
  }

  #declared(path, exported) {
    const module = this.#moduleAt(path);
    for (const { from, specifiers } of module.reexports) {
      const specifier = specifiers.find(({ as }) => as === exported);
      if (specifier !== undefined && from !== undefined) return this.#declared(from.path, specifier.name);
    }
    for (const { from, specifiers } of module.imports) {
      const specifier = specifiers.find(({ as }) => as === exported);
      if (specifier !== undefined) return this.#declared(from.path, specifier.name);
    }
    const texts = module.statements.filter(({ name }) => name === exported).map(({ text }) => text);
    if (texts.length === 0) throw new Error(`${this.#nameOf(path)} declares no ${exported}`);
    return { module: this.#nameOf(path), text: texts.join('\n') };
  }
}

const declarationOf = (name) => name.replace(/\.ts$/, '.d.ts');

function readModule(path) {
  const from = (name) => (name.startsWith('.') ? { path: join(dirname(path), declarationOf(name)), name } : { name });
  const module = { path, statements: [], imports: [], reexports: [], isKept: false };
  for (const text of statementsIn(readFileSync(path, 'utf8'))) {
    const code = withoutComments(text);
    const names = /^(import|export)( type)? \{(.*?)\}(?: from ['"](.*?)['"])?;\s*$/s.exec(code);
    if (names !== null) {
      const [, keyword, type = '', list, name] = names;
      // Without a name, what is exported was imported or declared above.
      const entry = { type, from: name === undefined ? undefined : from(name), specifiers: specifiersIn(list) };
      module[keyword === 'import' ? 'imports' : 'reexports'].push(entry);
      continue;
    }
    const bare = /^import ['"](.*?)['"]/.exec(code);
    const isAugmentation = code.startsWith('declare module');
    const [, name] =
      /^(?:export )?(?:declare )?(?:abstract )?(?:interface|type|const|let|class|function|enum) ([\w$]+)/.exec(code) ??
      [];
    if (bare !== null) module.statements.push({ text, code: '', imports: from(bare[1]).path });
    else if (isAugmentation || name !== undefined) module.statements.push({ text, code, name, isAugmentation });
    else throw new Error(`${path}: a statement of another kind: ${code}`);
  }
  return module;
}

/** Each with the comment before it. */
function statementsIn(text) {
  const statements = [];
  let lines = [];
  for (const line of text.split('\n')) {
    if (/^(?:export|declare|import|interface|type|class|const|function)\b/.test(line)) {
      const comment = lines.splice(commentAtEnd(lines));
      if (withoutComments(lines.join('\n')) !== '') statements.push(lines.join('\n'));
      lines = comment;
    }
    lines.push(line);
  }
  return [...statements, lines.join('\n')].map((statement) => statement.trimEnd());
}

/** Where the comment begins that the lines end with; behind them, where they end otherwise. */
function commentAtEnd(lines) {
  if (lines.at(-1)?.endsWith('*/') !== true) return lines.length;
  return lines.findLastIndex((line) => line.trimStart().startsWith('/**'));
}

const withoutComments = (text) => text.replace(/\/\*.*?\*\//gs, '').trimStart();

const specifiersIn = (list) =>
  list
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
    .map((each) => {
      const [name, as = name] = each.replace(/^type /, '').split(' as ');
      return { name, as, text: each, isKept: false };
    });

/** What is kept of a module, as it is written. */
function textOf({ imports, reexports, statements }) {
  const listed = (keyword, { type, from, specifiers }) => {
    const kept = specifiers.filter(({ isKept }) => isKept).map(({ text }) => text);
    const origin = from === undefined ? '' : ` from '${from.name}'`;
    return kept.length === 0 ? [] : [`${keyword}${type} { ${kept.join(', ')} }${origin};`];
  };
  const lines = [
    ...imports.flatMap((names) => listed('import', names)),
    ...statements.filter(({ isKept }) => isKept).map(({ text }) => text),
    ...reexports.flatMap((names) => listed('export', names)),
    'export {};',
  ];
  return `${lines.join('\n').replace(/(from |import |import\(|declare module )(['"])(\.[^'"]*)\.ts\2/g, '$1$2$3.js$2')}\n`;
}
