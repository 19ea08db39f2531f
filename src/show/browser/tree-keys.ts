/** Things in a tree that is walked by keys; one of them is in the order of the Tab key. */
export interface Tree<T> {
  /** Those that are seen now, in their order. */
  seen(): readonly T[];
  /** Undefined for what has nothing in it. */
  isOpen(item: T): boolean | undefined;
  firstInside(item: T): T | undefined;
  around(item: T): T | undefined;
  focus(item: T): void;
  toggle(item: T): void;
  /** Enter, or the space bar. */
  pick(item: T): void;
}

/** As trees are walked through (ARIA's pattern): what a key does at an item; undefined: nothing. */
function keyOfTree<T>(key: string, item: T, tree: Tree<T>): (() => void) | undefined {
  const seen = tree.seen();
  const at = seen.indexOf(item);
  const go = (to: T | undefined) => () => {
    if (to !== undefined) tree.focus(to);
  };
  switch (key) {
    case 'ArrowDown':
      return go(seen[at + 1]);
    case 'ArrowUp':
      return go(seen[at - 1]);
    case 'ArrowRight':
      return tree.isOpen(item) === false ? () => tree.toggle(item) : go(tree.firstInside(item));
    case 'ArrowLeft':
      return tree.isOpen(item) === true ? () => tree.toggle(item) : go(tree.around(item));
    case 'Home':
      return go(seen[0]);
    case 'End':
      return go(seen.at(-1));
    case 'Enter':
    case ' ':
      return () => tree.pick(item);
    default:
      return undefined;
  }
}

/** What other keys do, by their names. */
export type Keys = Readonly<Record<string, () => void>>;

export interface PageKeys<T> {
  readonly tree: Tree<T>;
  readonly itemOf: (target: EventTarget | null) => T | undefined;
  /** With Shift. */
  readonly shifted: Keys;
  readonly plain: Keys;
}

/** Keys of a whole page: those with Shift, then those of the tree at the item that has the focus, then the others. */
export function listenToKeys<T>({ tree, itemOf, shifted, plain }: PageKeys<T>): void {
  document.addEventListener('keydown', (event) => {
    const { key, target, shiftKey } = event;
    const isTyping = target instanceof HTMLInputElement;
    if (event.ctrlKey || event.metaKey || event.altKey || (isTyping && key !== 'Escape')) return;
    const item = itemOf(target);
    const act =
      (shiftKey ? shifted[key] : undefined) ??
      (item === undefined || shiftKey ? undefined : keyOfTree(key, item, tree)) ??
      plain[key];
    if (act === undefined) return;
    event.preventDefault();
    act();
  });
}
