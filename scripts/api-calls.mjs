// The calls of a class of the library with every option and what comes back, from the types as the compiler sees them:
// options that an interface inherits from others stand beside its own.
import { join, relative } from 'node:path';
import { SyntaxKind } from 'typescript/unstable/ast';
import { API, NodeBuilderFlags, SignatureKind, SymbolFlags } from 'typescript/unstable/sync';

/** Options that nearly every call has: told once, and named in the table of each call. By the interface that declares them. */
const shared = {
  DeployOptions: 'Options for deploying',
  ReplaceOptions: 'Options for replacing objects',
  ValuesOptions: 'Options for values',
  ChartAccess: 'Options for fetching a chart',
  TrustOptions: 'Options for checking signatures',
  SigstoreDemand: 'Options for signatures of sigstore',
};

/** Classes that src/index.ts exports. */
const classes = [
  { name: 'Tshelm', call: 'tshelm.' },
  { name: 'Dependencies', call: 'tshelm.dependencies.' },
  { name: 'Repositories', call: 'tshelm.repositories.' },
  { name: 'Stack', call: 'stack.' },
];

/**
 * Markdown: what a `Tshelm` is made with, each call with its options, and the options that calls share. Fails where a call
 * or an option has no comment.
 */
export function callSections(root) {
  const api = new API({ cwd: root });
  try {
    const config = join(root, 'tsconfig.types.json');
    const { checker, program, emitter } = api.updateSnapshot({ openProjects: [config] }).getProject(config);
    const face = checker.getSymbolAtLocation(program.getSourceFile(join(root, 'src/index.ts')));
    const exported = new Map(checker.getExportsOfModule(face).map((each) => [each.name, resolved(each, checker)]));
    const reader = new Reader({ checker, emitter, exported, root });
    return [
      `## new Tshelm\n${reader.optionTable('TshelmOptions')}`,
      '## Calls',
      ...classes.flatMap((each) => reader.callTexts(each)),
      ...reader.sharedTables(),
    ].join('\n');
  } finally {
    api.close();
  }
}

const isAlias = ({ flags }) => (flags & SymbolFlags.Alias) !== 0;
const resolved = (symbol, checker) => (isAlias(symbol) ? checker.getAliasedSymbol(symbol) : symbol);

class Reader {
  #checker;
  #emitter;
  #exported;
  #root;

  constructor({ checker, emitter, exported, root }) {
    this.#checker = checker;
    this.#emitter = emitter;
    this.#exported = exported;
    this.#root = root;
  }

  sharedTables() {
    const all = this.#propertiesOf('InstallOptions');
    return Object.entries(shared).map(([from, title]) => {
      const rows = all.filter((option) => option.from === from);
      return `### ${title}\n${this.#table(rows)}`;
    });
  }

  callTexts({ name, call }) {
    const type = this.#checker.getDeclaredTypeOfSymbol(this.#exported.get(name));
    const methods = this.#checker.getPropertiesOfType(type).filter(({ name: each }) => /^[a-z]/.test(each));
    return methods.flatMap((method) => this.#methodText(method, call));
  }

  #methodText(method, call) {
    const checker = this.#checker;
    const [signature] = checker.getSignaturesOfType(checker.getTypeOfSymbol(method), SignatureKind.Call);
    if (signature === undefined) return [];
    const declared = checker.signatureToSignatureDeclaration(signature, SyntaxKind.MethodSignature);
    const text = this.#emitter
      .printNode(declared)
      .replace(/;$/, '')
      .replace(/^\w*/, method.name)
      .replace(', ExecutionEvent>', '>');
    const [, parameters, result] = /^\w+\((.*)\): (.*)$/s.exec(text);
    const comment = told(checker.getDocumentationCommentOfSymbol(method), `${call}${method.name}`);
    const options = /options\??: (\w+)/.exec(parameters)?.[1];
    const parts = [`### ${call}${method.name}`, `\`\`\`ts\n${text}\n\`\`\``, comment];
    const more = [this.#given(result), options && `\n${this.optionTable(options)}`].filter(Boolean);
    return [`${[...parts, ...more].join('\n').trimEnd()}\n`];
  }

  /** Links to what a call gives. */
  #given(result) {
    const isTold = (name) => this.#exported.has(name) && !classes.some((each) => each.name === name);
    const linked = [...new Set(result.match(/\b[A-Z]\w+/g))].filter(isTold).map((name) => ({
      isEvent: name.endsWith('Event'),
      link: `[${name}](#${name.toLowerCase()})`,
    }));
    if (linked.length === 0) return '';
    const links = (isEvent) => linked.filter((each) => each.isEvent === isEvent).map(({ link }) => link);
    return `\nGives ${[links(false).join(' of '), ...links(true)].join(', and tells ')}.`;
  }

  optionTable(name) {
    const options = this.#propertiesOf(name);
    const own = options.filter(({ from }) => !(from in shared));
    const others = Object.entries(shared).flatMap(([from, title]) => {
      const names = options.filter((option) => option.from === from).map((option) => `\`${option.name}\``);
      const link = `see [${title}](#${title.toLowerCase().replaceAll(' ', '-')})`;
      return names.length === 0 ? [] : [`| ${names.join(', ')} | | ${link} |\n`];
    });
    return this.#table(own) + others.join('');
  }

  /** What an interface has, inherited properties too, by where they are declared: its own ones first. */
  #propertiesOf(name) {
    const checker = this.#checker;
    const type = checker.getDeclaredTypeOfSymbol(this.#exported.get(name));
    const options = checker.getPropertiesOfType(type).map((property) => {
      const [declaration] = property.declarations;
      const from = declaration.resolve().parent.name.text;
      const place = `${from === name ? '' : relative(this.#root, declaration.path)}\0${`${declaration.index}`.padStart(9)}`;
      const comment = told(checker.getDocumentationCommentOfSymbol(property), `${name}.${property.name}`);
      const isOptional = (property.flags & SymbolFlags.Optional) !== 0;
      return {
        name: property.name,
        from,
        place,
        comment,
        isOptional,
        type: this.#textOf(checker.getTypeOfSymbol(property)),
      };
    });
    return options.sort((a, b) => (a.place < b.place ? -1 : 1));
  }

  #table(options) {
    const cell = (text) => text.replaceAll('|', '\\|');
    const rows = options.map(({ name, type, comment, isOptional }) => {
      const shown = this.#exported.has(type) ? `[\`${type}\`](#${type.toLowerCase()})` : `\`${cell(type)}\``;
      return `| \`${name}\` | ${shown} | ${cell(comment)}${isOptional ? '' : ' Needed.'} |\n`;
    });
    return `| option | type | meaning |\n|---|---|---|\n${rows.join('')}`;
  }

  /** A type by its name if the library exports it, otherwise by what it says. */
  #textOf(given) {
    const checker = this.#checker;
    const type = checker.getNonNullableType(given) ?? given;
    const name = checker.typeToString(type, undefined, NodeBuilderFlags.NoTruncation);
    const isUnknown = /^[A-Z]\w+$/.test(name) && !this.#exported.has(name);
    const flags = NodeBuilderFlags.NoTruncation | (isUnknown ? NodeBuilderFlags.InTypeAlias : 0);
    return checker.typeToString(type, undefined, flags).replaceAll('"', "'");
  }
}

/** A comment in one line. */
function told(comment, of) {
  if (comment === '') throw new Error(`${of} has no comment`);
  return comment
    .replace(/\{@link (\w+)\}/g, '`$1`')
    .replace(/\s+/g, ' ')
    .trim();
}
