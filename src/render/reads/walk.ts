import type {
  CommandNode,
  FieldNode,
  ListNode,
  Operand,
  PipeNode,
  Source,
  Statement,
  Tree,
} from '../../template/node.ts';
import { rules } from './functions.ts';
import { anyOf, isScope, isValuesPart, nothing, type Part, type Parts, type Shape } from './part.ts';

/** The templates of a chart and of all charts below it. */
export interface Sources {
  /** Files and defines by name, each as often as it is defined. */
  readonly trees: ReadonlyMap<string, readonly Tree[]>;
  /** What `tpl` may run: texts of values and files with actions in them. */
  readonly texts: readonly Tree[];
  /** The tree of another such text; undefined where it is no template. */
  readonly parse: (text: string) => Tree | undefined;
}

/** A field that a template names: each way to it is one of its own. */
export interface FieldRead {
  readonly source: Source;
  /** The index in the source of its name's first character. */
  readonly at: number;
  readonly name: string;
  /** What it is read of, and what it may be. */
  readonly owner: Shape;
  readonly found: Shape;
}

/** A template under way. */
interface Frame {
  readonly variables: Map<string, Shape>;
  /** A variable was assigned again: what was read of it before has to be read once more. */
  hasAssigned: boolean;
  /** What it prints, in turn. */
  printed: Shape[];
}

/** Where an expression is evaluated. */
interface Here {
  readonly dot: Shape;
  readonly frame: Frame;
}

/** Methods of Helm's `common.Values`, which return or print all of it. */
const valuesMethods: ReadonlySet<string> = new Set(['AsMap', 'Encode', 'PathValue', 'Table', 'YAML']);

/** As deep as it is looked whether maps are made alike. */
const maxKeyDepth = 3;
/** As deep as templates are followed, and as often as one of them is followed in itself. */
const maxDepth = 100;
const maxNested = 3;
/** So many parts are looked at in all, which takes about a second. */
const maxWork = 160_000;
/** And texts of `tpl` with so many different things. */
const maxContexts = 128;

/**
 * Follows templates through all their branches, and notes in the parts of the values what they read there. It follows
 * fields, variables, `with`, `range`, what templates give each other, and maps that they make; what it cannot follow, it
 * counts as read. Where a set of templates is too large for it, `isComplete` is false.
 */
export class Walk {
  readonly #parts: Parts;
  readonly #sources: Sources;
  readonly #stack: string[] = [];
  /** Templates with what they were given. */
  readonly #done = new Map<string, { readonly dot: Shape; text: Shape }>();
  readonly #texts: Set<Tree>;
  /** What `tpl` runs texts with. */
  readonly #contexts = new Map<string, Shape>();
  #composesTexts = false;
  readonly #onRead: ((read: FieldRead) => void) | undefined;
  /** The text that is followed, and where its action begins. */
  #source: Source = { name: '', text: '' };
  #start = 0;

  constructor(parts: Parts, sources: Sources, onRead?: (read: FieldRead) => void) {
    this.#parts = parts;
    this.#sources = sources;
    this.#onRead = onRead;
    this.#texts = new Set(sources.texts);
  }

  get isComplete(): boolean {
    return this.#parts.work <= maxWork && this.#contexts.size <= maxContexts;
  }

  /** Follows a template, with all that it calls; the text that it prints, as far as that is known. */
  template(name: string, dot: Shape): Shape {
    return anyOf((this.#sources.trees.get(name) ?? []).map((tree) => this.#run(tree, dot)));
  }

  /** Follows the texts that `tpl` may run with what it was given: to be called last. */
  texts(): void {
    for (let known = -1; known < this.#texts.size; ) {
      known = this.#texts.size;
      // What is run may call `tpl` too.
      for (const context of this.#contexts.values()) for (const tree of this.#texts) this.#run(tree, context);
    }
    if (this.#composesTexts) this.#parts.whole(anyOf([...this.#contexts.values()]));
  }

  #run(tree: Tree, dot: Shape): Shape {
    if (!this.isComplete) return nothing;
    const key = `${tree.source.name} ${tree.name} ${tree.source.text.length} ${this.#keyOf(dot, 0)}`;
    const before = this.#done.get(key);
    if (before !== undefined) {
      this.#changeAlike(dot, before.dot, 0);
      return before.text;
    }
    const nested = this.#stack.filter((name) => name === tree.name).length;
    if (nested >= maxNested || this.#stack.length > maxDepth) {
      this.#parts.whole(dot);
      return nothing;
    }
    const run = { dot, text: nothing };
    this.#done.set(key, run);
    const frame: Frame = { variables: new Map([['$', dot]]), hasAssigned: false, printed: [] };
    const [source, start] = [this.#source, this.#start];
    this.#source = tree.source;
    this.#stack.push(tree.name);
    this.#list(tree.root, { dot, frame });
    if (frame.hasAssigned) {
      frame.printed = [];
      this.#list(tree.root, { dot, frame });
    }
    this.#stack.pop();
    [this.#source, this.#start] = [source, start];
    run.text = textOf(frame.printed);
    return run.text;
  }

  /** What a template has put into maps that it was given before, it puts into those that are made alike too. */
  #changeAlike(shape: Shape, before: Shape, depth: number): void {
    if (shape === before || depth > maxKeyDepth) return;
    for (const [index, part] of shape.entries()) {
      const alike = before[index];
      if (alike === undefined || alike === part || isValuesPart(part)) continue;
      this.#parts.merge(part, [alike]);
      for (const [key, member] of part.members) this.#changeAlike(member, alike.members.get(key) ?? [], depth + 1);
    }
  }

  /** The same for maps that are made alike. */
  #keyOf(shape: Shape, depth: number): string {
    this.#parts.work += shape.length;
    return shape
      .map((part) => (isValuesPart(part) || depth > maxKeyDepth ? part.id : this.#keyOfMade(part, depth)))
      .join();
  }

  #keyOfMade({ id, members, merged, text, pieces }: Part, depth: number): string {
    if (text !== undefined || pieces !== undefined || members.size > 20) return String(id);
    const inside = [...members].map(([key, shape]) => `${key}:${this.#keyOf(shape, depth + 1)}`);
    return `{${inside.join(';')}|${this.#keyOf(merged, depth + 1)}}`;
  }

  #list({ nodes }: ListNode, here: Here): void {
    for (const node of nodes) this.#statement(node, here);
  }

  #statement(node: Statement, here: Here): void {
    if (!this.isComplete) return;
    if ('start' in node) this.#start = node.start;
    switch (node.kind) {
      case 'action': {
        const shape = this.#pipe(node.pipe, here);
        if (node.pipe.variables.length > 0) return;
        this.#parts.whole(shape);
        here.frame.printed.push(shape);
        return;
      }
      case 'if':
      case 'with': {
        const shape = this.#pipe(node.pipe, here);
        this.#list(node.list, node.kind === 'with' ? { ...here, dot: shape } : here);
        if (node.elseList !== undefined) this.#list(node.elseList, here);
        return;
      }
      case 'range': {
        const element = this.#parts.each(this.#pipe(node.pipe, here));
        this.#setVariables(node.pipe, element, here);
        const { length } = here.frame.printed;
        this.#list(node.list, { ...here, dot: element });
        if (here.frame.printed.length > length) here.frame.printed.push(nothing);
        if (node.elseList !== undefined) this.#list(node.elseList, here);
        return;
      }
      case 'template':
        this.template(node.name, node.pipe === undefined ? nothing : this.#pipe(node.pipe, here));
        here.frame.printed.push(nothing);
        return;
      case 'text':
        if (node.text.trim() !== '') here.frame.printed.push(nothing);
        return;
      default:
    }
  }

  #pipe(pipe: PipeNode, here: Here): Shape {
    let last: Shape | undefined;
    for (const command of pipe.commands) last = this.#command(command, last, here);
    const shape = last ?? nothing;
    this.#setVariables(pipe, shape, here);
    return shape;
  }

  /** A variable may have every value that it is ever given. */
  #setVariables({ variables, isAssignment }: PipeNode, shape: Shape, { frame }: Here): void {
    const name = variables.at(-1)?.name;
    if (name === undefined) return;
    const known = frame.variables.get(name);
    const all = known === undefined ? shape : this.#parts.bounded(anyOf([known, shape]));
    if (isAssignment && all.length > (known?.length ?? 0)) frame.hasAssigned = true;
    frame.variables.set(name, all);
  }

  #command({ args }: CommandNode, last: Shape | undefined, here: Here): Shape {
    const [first, ...rest] = args as [Operand, ...Operand[]];
    if (first.kind === 'identifier') return this.#call(first.name, rest, last, here);
    const shape = this.#operand(first, here);
    // Only methods get arguments.
    for (const operand of rest) this.#parts.whole(this.#operand(operand, here));
    if (last !== undefined) this.#parts.whole(last);
    return shape;
  }

  #operand(node: Operand, here: Here): Shape {
    switch (node.kind) {
      case 'dot':
        return here.dot;
      case 'field':
        return this.#fields(here.dot, node.fields, fieldsStart(node));
      case 'variable':
        return this.#fields(here.frame.variables.get(node.name) ?? nothing, node.fields, node.position);
      case 'chain':
        return this.#fields(this.#operand(node.node, here), node.fields, node.position);
      case 'pipe':
        return this.#pipe(node, here);
      case 'identifier':
        return this.#call(node.name, [], undefined, here);
      case 'string':
        return [this.#parts.text(node.value)];
      case 'number':
        return [this.#parts.text(node.text)];
      default:
        return nothing;
    }
  }

  /** `position`: of the dot before the first field, in the action. */
  #fields(shape: Shape, fields: readonly string[], position: number): Shape {
    let owner = shape;
    let at = this.#start + position + 1;
    for (const name of fields) {
      if (valuesMethods.has(name)) this.#parts.whole(owner.filter(isValuesPart));
      const found = this.#parts.member(owner, name);
      this.#onRead?.({ source: this.#source, at, name, owner, found });
      at += name.length + 1;
      owner = found;
    }
    return owner;
  }

  /** The keys that `index`, `get`, `hasKey` and `dig` are given as texts. */
  #tellKeys(name: string, operands: readonly Operand[], args: readonly Shape[]): void {
    const keys = keyOperands.get(name)?.(operands) ?? [];
    let owner = args[name === 'dig' ? args.length - 1 : 0] ?? nothing;
    for (const key of keys) {
      if (key.kind !== 'string') return;
      const found = this.#parts.member(owner, key.value);
      this.#onRead?.({ source: this.#source, at: this.#start + key.position + 1, name: key.value, owner, found });
      owner = found;
    }
  }

  #call(name: string, operands: readonly Operand[], last: Shape | undefined, here: Here): Shape {
    const args = operands.map((operand) => this.#operand(operand, here));
    if (last !== undefined) args.push(last);
    if (name === 'include') return this.#include(args);
    if (name === 'tpl') return this.#tpl(args);
    for (const shape of args) this.#learnTexts(shape, name);
    if (this.#onRead !== undefined) this.#tellKeys(name, operands, args);
    const rule = rules.get(name);
    if (rule !== undefined) return rule(args, this.#parts);
    this.#parts.whole(anyOf(args));
    return nothing;
  }

  #include([name = nothing, data = nothing]: readonly Shape[]): Shape {
    this.#parts.whole(name);
    const names = name.flatMap(({ text, pieces = [] }) => text ?? this.#namesWith(pieces));
    return anyOf(names.map((one) => this.template(one, data)));
  }

  #namesWith = (pieces: readonly string[]): readonly string[] =>
    [...this.#sources.trees.keys()].filter((name) => pieces.every((piece) => name.includes(piece)));

  /** Its text may be any of those that are known: they are followed at the end, when all of them are. */
  #tpl([texts = nothing, data = nothing]: readonly Shape[]): Shape {
    this.#learnTexts(texts, 'tpl');
    this.#parts.whole(texts);
    // Text around the one that is run may make a member of a map its dot.
    const members = data.flatMap((part) =>
      isValuesPart(part) || isScope(part) ? [] : [...part.members.values()].flat(),
    );
    for (const context of [data, members.filter(isScope)]) this.#contexts.set(this.#keyOf(context, 0), context);
    this.#parts.whole(members.filter((part) => !isScope(part)));
    return nothing;
  }

  /** A text in a template that `tpl` may run, or a piece of one. */
  #learnTexts(shape: Shape, called: string): void {
    for (const { text = '' } of shape) {
      if (!text.includes('{{')) continue;
      if (called === 'printf') this.#composesTexts = true;
      const tree = this.#sources.parse(text);
      if (tree !== undefined) this.#texts.add(tree);
    }
  }
}

/** Of a template that prints one text alone, which is one of several that are known. */
function textOf([only = nothing, another]: readonly Shape[]): Shape {
  return another === undefined && only.every(({ text }) => text !== undefined) ? only : nothing;
}

/** Of several fields in a row the parser keeps the place of the second. */
const fieldsStart = ({ position, fields: [first = '', ...others] }: FieldNode): number =>
  others.length === 0 ? position : position - first.length - 1;

const keyOperands: ReadonlyMap<string, (operands: readonly Operand[]) => readonly Operand[]> = new Map([
  ['index', (operands) => operands.slice(1)],
  ['get', (operands) => operands.slice(1)],
  ['hasKey', (operands) => operands.slice(1)],
  // The last text is what it returns where nothing is.
  [
    'dig',
    (operands) =>
      operands.slice(
        0,
        operands.findLastIndex(({ kind }) => kind === 'string'),
      ),
  ],
]);
