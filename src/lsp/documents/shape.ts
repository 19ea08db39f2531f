/** What may be written at a place of a file whose keys are known. */
export interface Shape {
  /** `text`, `list of text`, `map` */
  readonly type: string;
  /** A sentence. */
  readonly text?: string | undefined;
  /** The only values that there are. */
  readonly words?: readonly string[] | undefined;
  /** The keys below it. Those of lists and maps with any keys are of `item`. */
  readonly fields?: (() => Readonly<Record<string, Shape>>) | undefined;
  readonly item?: Shape | undefined;
}

/** What follows keys; items of lists are `*`. Undefined where there is no such key. */
export function shapeAt(root: Shape, keys: readonly string[]): Shape | undefined {
  let at: Shape | undefined = root;
  for (const key of keys) {
    // A list that is one item here needs no dash there.
    if (at?.type.startsWith('list') && key !== '*') at = at.item;
    const fields: Readonly<Record<string, Shape>> | undefined = at?.fields?.();
    if (fields === undefined) at = at?.item;
    else at = Object.hasOwn(fields, key) ? fields[key] : undefined;
  }
  return at;
}

/** The keys that may appear below a place. */
export function fieldsBelow(root: Shape, keys: readonly string[]): Readonly<Record<string, Shape>> {
  const at = shapeAt(root, keys);
  return (at?.fields ?? at?.item?.fields)?.() ?? {};
}
