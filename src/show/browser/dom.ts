/** The element with this id, of this kind; the page that carries the script has it. */
export function byId<T extends Element>(id: string): T {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`internal: the page has no #${id}`);
  return found as Element as T;
}

export const all = <T extends Element>(selector: string, root: ParentNode = document): T[] => [
  ...root.querySelectorAll<T>(selector),
];

/** A text of the page, made of what is already in it. */
export function element(name: string, text: string): HTMLElement {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

/** A shape for the drawing `beside`. */
export function svgElement(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  beside: SVGElement,
): SVGElement {
  const made = document.createElementNS(beside.namespaceURI, name) as SVGElement;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  return made;
}

/** Pressing a button of the page. */
export const onPress = (id: string, act: () => void): void => byId(id).addEventListener('click', act);
