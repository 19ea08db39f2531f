import { isObject } from '../support/json.ts';

/** A variable and what is selected of it; `*` is every item of a list or map. */
export type Selection = readonly (string | number)[];

interface Node {
  readonly op: string;
  readonly args: unknown;
}

/** The variables of the macros around a node, and what each of them goes through. */
type Scope = ReadonlyMap<string, Selection | undefined>;

/** The longest selections of a tree of cel-js, in its order. */
export const selectionsIn = (tree: unknown): readonly Selection[] => [...walk(tree, new Map())];

function* walk(node: unknown, scope: Scope): Generator<Selection> {
  if (Array.isArray(node)) for (const part of node) yield* walk(part, scope);
  else if (isNode(node)) {
    const selection = selectionOf(node, scope);
    if (selection !== undefined) yield selection;
    else if (node.op === 'rcall') yield* walkMethod(node, scope);
    else yield* walk(node.args, scope);
  }
}

const isNode = (node: unknown): node is Node => isObject(node) && typeof node['op'] === 'string';

/** Undefined where it is no chain of fields that begins with a variable. */
function selectionOf(node: unknown, scope: Scope): Selection | undefined {
  if (!isNode(node)) return undefined;
  const { op, args } = node;
  if (op === 'id') return scope.has(args as string) ? scope.get(args as string) : [args as string];
  if (!selecting.has(op)) return undefined;
  const [operand, key] = args as readonly unknown[];
  const holder = selectionOf(operand, scope);
  const name = isNode(key) && key.op === 'value' ? key.args : key;
  if (typeof name === 'bigint') return holder && [...holder, Number(name)];
  return typeof name === 'string' ? holder && [...holder, name] : undefined;
}

const selecting: ReadonlySet<string> = new Set(['.', '.?', '[]', '[?]']);

/** `list.all(item, …)`: the item is a variable of what follows; of a map it is the key, of which nothing is selected. */
function* walkMethod({ args }: Node, scope: Scope): Generator<Selection> {
  const [name, receiver, parameters] = args as readonly [string, unknown, readonly unknown[]];
  const [variable] = parameters;
  if (!macros.has(name) || !isNode(variable) || variable.op !== 'id') {
    yield* walk([receiver, parameters], scope);
    return;
  }
  const list = selectionOf(receiver, scope) ?? selectionOf(filtered(receiver), scope);
  const inner = new Map(scope).set(variable.args as string, list && [...list, '*']);
  const within = [...walk(parameters.slice(1), inner)];
  yield* within;
  yield* walk(receiver, scope);
}

const macros: ReadonlySet<string> = new Set(['all', 'exists', 'exists_one', 'existsOne', 'filter', 'map']);

/** `list` of `list.filter(item, …)` and `list.orValue([])`. */
function filtered(node: unknown): unknown {
  if (!isNode(node) || node.op !== 'rcall') return undefined;
  const [name, receiver] = node.args as readonly [string, unknown];
  return name === 'filter' || name === 'orValue' ? receiver : undefined;
}
