import { Scanner } from './scanner.ts';
import { type Mark, type Token, type TokenKind, YamlProblem } from './tokens.ts';

export type YamlNode = ScalarNode | SequenceNode | MappingNode | AliasNode;

interface NodeBase extends Mark {
  /** The tag in full, as `tag:yaml.org,2002:str`; '' where none was given. */
  readonly tag: string;
}
export interface ScalarNode extends NodeBase {
  readonly kind: 'scalar';
  readonly value: string;
  /** Whether the value may mean something other than text: it is plain, or has the tag `!`. */
  readonly isImplicit: boolean;
}
export interface SequenceNode extends NodeBase {
  readonly kind: 'sequence';
  readonly items: YamlNode[];
}
export interface MappingNode extends NodeBase {
  readonly kind: 'mapping';
  /** Key, value, key, value, … in their order, duplicates included. */
  readonly pairs: YamlNode[];
  /** Where the bracket of one in flow style closes. */
  brace: Mark | undefined;
}
export interface AliasNode extends NodeBase {
  readonly kind: 'alias';
  readonly name: string;
  readonly target: YamlNode;
}

/** How deeply collections may nest, as in Go. JavaScript's stack holds less; see reader.ts. */
export const maxNesting = 10_000;

const defaultHandles: ReadonlyMap<string, string> = new Map([
  ['!', '!'],
  ['!!', 'tag:yaml.org,2002:'],
]);

/**
 * Reads the first document of a YAML text as nodes, by the grammar of libyaml's parser (parserc.go) with anchors resolved.
 * Throws YamlProblem.
 */
export class Parser {
  private readonly scanner: Scanner;
  private readonly handles = new Map<string, string>();
  private readonly anchors = new Map<string, YamlNode>();
  private depth = 0;

  constructor(text: string) {
    this.scanner = new Scanner(text);
  }

  /** The first document := directives? "---"? block_node?; undefined where there is none. Nothing behind it is read. */
  document(): YamlNode | undefined {
    const { kind } = this.scanner.peek();
    if (kind === 'stream-end') return undefined;
    const node = startsExplicitDocument.has(kind) ? this.explicitDocument() : this.node('block');
    // What comes next is looked at, as the end of a document depends on it: its own mistakes count.
    this.scanner.peek();
    return node;
  }

  /** The line in which content of another document begins, counted from 0; undefined where none does. */
  lineBehind(): number | undefined {
    for (let next = this.scanner.peek(); next.kind !== 'stream-end'; next = this.scanner.peek()) {
      if (!separatesDocuments.has(next.kind)) return next.line;
      this.scanner.skip();
    }
    return undefined;
  }

  private explicitDocument(): YamlNode {
    const { scanner } = this;
    this.directives();
    const start = scanner.peek();
    if (start.kind !== 'document-start') throw problem('did not find expected <document start>', start);
    scanner.skip();
    const next = scanner.peek();
    return endsDocument.has(next.kind) ? emptyScalar(next) : this.node('block');
  }

  private directives(): void {
    let hasVersion = false;
    for (;;) {
      const next = this.scanner.peek();
      if (next.kind === 'version-directive') {
        if (hasVersion) throw problem('found duplicate %YAML directive', next);
        if (next.value !== '1.1') throw problem('found incompatible YAML document', next);
        hasVersion = true;
      } else if (next.kind === 'tag-directive') {
        if (this.handles.has(next.value)) throw problem('found duplicate %TAG directive', next);
        this.handles.set(next.value, next.suffix);
      } else {
        return;
      }
      this.scanner.skip();
    }
  }

  /**
   * node := alias | (tag anchor? | anchor tag?)? content?
   * `value` is a block node that may also be a sequence at the indentation of its key.
   */
  private node(context: 'block' | 'value' | 'flow'): YamlNode {
    const first = this.scanner.peek();
    if (first.kind === 'alias') return this.alias(first);
    const { tag, anchor } = this.properties(first);
    const token = this.scanner.peek();
    const mark = tag !== '' || anchor !== undefined ? first : token;
    const node = this.content(context, token, { tag, anchor, mark });
    if (node !== undefined) return node;
    if (tag !== '' || anchor !== undefined) {
      return this.anchored(anchor, {
        kind: 'scalar',
        line: mark.line,
        column: mark.column,
        tag,
        value: '',
        isImplicit: tag === '',
      });
    }
    throw problem('did not find expected node content', token, first);
  }

  private content(context: 'block' | 'value' | 'flow', token: Token, properties: Properties): YamlNode | undefined {
    switch (token.kind) {
      case 'scalar':
        return this.scalar(token, properties);
      case 'flow-sequence-start':
        return this.sequence(properties, (items) => this.flowSequence(items, token));
      case 'flow-mapping-start':
        return this.mapping(properties, (pairs) => this.flowMapping(pairs, token));
      case 'block-entry':
        return context === 'value' ? this.sequence(properties, (items) => this.indentlessSequence(items)) : undefined;
      case 'block-sequence-start':
        return context === 'flow' ? undefined : this.sequence(properties, (items) => this.blockSequence(items, token));
      case 'block-mapping-start':
        return context === 'flow' ? undefined : this.mapping(properties, (pairs) => this.blockMapping(pairs, token));
      default:
        return undefined;
    }
  }

  private alias(token: Token): AliasNode {
    const target = this.anchors.get(token.value);
    if (target === undefined)
      throw new YamlProblem(`unknown anchor '${token.value}' referenced`, token, 0, 'yaml-anchor-unknown');
    this.scanner.skip();
    return { kind: 'alias', line: token.line, column: token.column, tag: '', name: token.value, target };
  }

  private properties(first: Token): { tag: string; anchor: string | undefined } {
    let tagToken: Token | undefined;
    let anchor: string | undefined;
    let token = first;
    while ((token.kind === 'anchor' && anchor === undefined) || (token.kind === 'tag' && tagToken === undefined)) {
      if (token.kind === 'anchor') anchor = token.value;
      else tagToken = token;
      this.scanner.skip();
      token = this.scanner.peek();
    }
    return { tag: tagToken === undefined ? '' : this.fullTag(tagToken, first), anchor };
  }

  private fullTag(token: Token, first: Token): string {
    if (token.value === '') return token.suffix;
    const prefix = this.handles.get(token.value) ?? defaultHandles.get(token.value);
    if (prefix === undefined) throw problem('found undefined tag handle', token, first);
    return prefix + token.suffix;
  }

  private scalar(token: Token, { tag, anchor, mark }: Properties): YamlNode {
    this.scanner.skip();
    const isImplicit = (tag === '' && token.isPlain) || tag === '!';
    return this.anchored(anchor, {
      kind: 'scalar',
      line: mark.line,
      column: mark.column,
      tag,
      value: token.value,
      isImplicit,
    });
  }

  private sequence({ tag, anchor, mark }: Properties, read: (items: YamlNode[]) => void): YamlNode {
    const items: YamlNode[] = [];
    const node = this.anchored(anchor, { kind: 'sequence', line: mark.line, column: mark.column, tag, items });
    this.nested(mark, () => read(items));
    return node;
  }

  private mapping({ tag, anchor, mark }: Properties, read: (pairs: YamlNode[]) => Mark | undefined): YamlNode {
    const pairs: YamlNode[] = [];
    const { line, column } = mark;
    const node: MappingNode = { kind: 'mapping', line, column, tag, pairs, brace: undefined };
    this.anchored(anchor, node);
    this.nested(mark, () => {
      node.brace = read(pairs);
    });
    return node;
  }

  private nested(mark: Mark, read: () => void): void {
    this.depth += 1;
    if (this.depth > maxNesting) throw problem(`exceeded max depth of ${maxNesting}`, mark);
    read();
    this.depth -= 1;
  }

  // An anchor counts from here on: its own content may already refer to it, which the decoder refuses.
  private anchored<T extends YamlNode>(anchor: string | undefined, node: T): T {
    if (anchor !== undefined) this.anchors.set(anchor, node);
    return node;
  }

  /** block_sequence := block-sequence-start (block-entry block_node?)* block-end */
  private blockSequence(items: YamlNode[], start: Token): void {
    const { scanner } = this;
    scanner.skip();
    for (;;) {
      const token = scanner.peek();
      if (token.kind === 'block-end') return scanner.skip();
      if (token.kind !== 'block-entry') throw problem("did not find expected '-' indicator", token, start);
      scanner.skip();
      const { kind } = scanner.peek();
      items.push(kind === 'block-entry' || kind === 'block-end' ? emptyScalar(token) : this.node('block'));
    }
  }

  /** indentless_sequence := (block-entry block_node?)+ */
  private indentlessSequence(items: YamlNode[]): void {
    const { scanner } = this;
    for (;;) {
      const token = scanner.peek();
      if (token.kind !== 'block-entry') return;
      scanner.skip();
      const { kind } = scanner.peek();
      items.push(kind === 'block-entry' || endsBlockPair.has(kind) ? emptyScalar(token) : this.node('block'));
    }
  }

  /** block_mapping := block-mapping-start ((key value_node?)? (value value_node?)?)* block-end */
  private blockMapping(pairs: YamlNode[], start: Token): undefined {
    const { scanner } = this;
    scanner.skip();
    for (;;) {
      const token = scanner.peek();
      if (token.kind === 'block-end') {
        scanner.skip();
        return;
      }
      if (token.kind !== 'key') throw problem('did not find expected key', token, start);
      pairs.push(this.blockPairPart(token), this.blockPairValue());
    }
  }

  private blockPairValue(): YamlNode {
    const token = this.scanner.peek();
    return token.kind === 'value' ? this.blockPairPart(token) : emptyScalar(token);
  }

  private blockPairPart(indicator: Token): YamlNode {
    this.scanner.skip();
    return endsBlockPair.has(this.scanner.peek().kind) ? emptyScalar(indicator) : this.node('value');
  }

  /** flow_sequence := "[" (flow_entry ",")* flow_entry? "]", where an entry may be a single pair. */
  private flowSequence(items: YamlNode[], start: Token): void {
    const { scanner } = this;
    scanner.skip();
    for (let isFirst = true; ; isFirst = false) {
      if (scanner.peek().kind === 'flow-sequence-end') break;
      if (!isFirst) this.flowSeparator("did not find expected ',' or ']'", start);
      const token = scanner.peek();
      if (token.kind === 'flow-sequence-end') break;
      items.push(token.kind === 'key' ? this.flowPair(token) : this.node('flow'));
    }
    scanner.skip();
  }

  private flowPair(token: Token): YamlNode {
    this.scanner.skip();
    return this.mapping({ tag: '', anchor: undefined, mark: token }, (pairs) => {
      const { kind } = this.scanner.peek();
      if (kind === 'value' || kind === 'flow-entry' || kind === 'flow-sequence-end') {
        // The library takes this token for the empty key, the ":" of [? : 1] included.
        pairs.push(emptyScalar(this.scanner.peek()));
        this.scanner.skip();
      } else {
        pairs.push(this.node('flow'));
      }
      pairs.push(this.flowValue('flow-sequence-end'));
      return undefined;
    });
  }

  /** flow_mapping := "{" (flow_pair ",")* flow_pair? "}", where a value may be left out. */
  private flowMapping(pairs: YamlNode[], start: Token): Mark {
    const { scanner } = this;
    scanner.skip();
    for (let isFirst = true; ; isFirst = false) {
      if (scanner.peek().kind === 'flow-mapping-end') break;
      if (!isFirst) this.flowSeparator("did not find expected ',' or '}'", start);
      const token = scanner.peek();
      if (token.kind === 'flow-mapping-end') break;
      if (token.kind === 'key') {
        scanner.skip();
        pairs.push(this.flowKey(), this.flowValue('flow-mapping-end'));
      } else {
        pairs.push(this.node('flow'), emptyScalar(scanner.peek()));
      }
    }
    const brace = scanner.peek();
    scanner.skip();
    return brace;
  }

  private flowKey(): YamlNode {
    const token = this.scanner.peek();
    const isEmpty = token.kind === 'value' || token.kind === 'flow-entry' || token.kind === 'flow-mapping-end';
    return isEmpty ? emptyScalar(token) : this.node('flow');
  }

  private flowValue(end: TokenKind): YamlNode {
    if (this.scanner.peek().kind === 'value') {
      this.scanner.skip();
      const { kind } = this.scanner.peek();
      if (kind !== 'flow-entry' && kind !== end) return this.node('flow');
    }
    return emptyScalar(this.scanner.peek());
  }

  private flowSeparator(expected: string, start: Token): void {
    const token = this.scanner.peek();
    if (token.kind !== 'flow-entry') throw problem(expected, token, start);
    this.scanner.skip();
  }
}

interface Properties {
  readonly tag: string;
  readonly anchor: string | undefined;
  readonly mark: Mark;
}

const separatesDocuments: ReadonlySet<TokenKind> = new Set(['document-start', 'document-end']);
const startsExplicitDocument: ReadonlySet<TokenKind> = new Set([
  'version-directive',
  'tag-directive',
  'document-start',
]);
const endsDocument: ReadonlySet<TokenKind> = new Set([...startsExplicitDocument, 'document-end', 'stream-end']);
const endsBlockPair: ReadonlySet<TokenKind> = new Set(['key', 'value', 'block-end']);

const emptyScalar = ({ line, column }: Mark): ScalarNode => ({
  kind: 'scalar',
  line,
  column,
  tag: '',
  value: '',
  isImplicit: true,
});

/** A parser's error: the library counts its lines from 0, and falls back to where the collection began. */
const problem = (text: string, mark: Mark, context: Mark = mark): YamlProblem =>
  new YamlProblem(text, mark, { line: mark.line === 0 ? context.line : mark.line, context: context.line });
