/**
 * The script of a page with a graph. It moves the drawing's viewBox, places its elements anew, sets classes, and shows or
 * hides what the page already holds: nothing of the plan passes through it as markup.
 */
import { all, byId, onPress } from '../dom.ts';
import { listenToKeys } from '../tree-keys.ts';
import { around, type Box, boxesIn, readLevel, seenIn } from './model.ts';
import { Overview } from './overview.ts';
import { place } from './place.ts';
import { Search } from './search.ts';
import { Selection } from './selection.ts';
import { View } from './view.ts';

const level = readLevel(byId<SVGSVGElement>('plan').querySelector(':scope > .level') as SVGGElement);
const boxes = boxesIn(level);
const byBoxId = new Map(boxes.map((box) => [box.id, box]));
const overview = new Overview();
const view = new View((seen) => overview.frame(seen));
const selection = new Selection(level);
const search = new Search(level, selection, (box) => goTo(box));

/** Lays out anew what is open; `kept` stays where it is in the window. */
function layOut(kept?: Box): void {
  const from = kept?.at;
  const whole = place(level);
  overview.draw(seenIn(level), whole);
  view.resize(whole, from === undefined || kept === undefined ? undefined : { from, to: kept.at });
}

function setOpen(box: Box, isOpen: boolean): void {
  if (!box.canOpen) return;
  box.isOpen = isOpen;
  box.element.classList.toggle('closed', !isOpen);
  box.element.setAttribute('aria-expanded', String(isOpen));
}

function toggle(box: Box): void {
  setOpen(box, !box.isOpen);
  layOut(box);
}

/** Opens what a box is in, and focuses and picks it. */
function goTo(box: Box): void {
  const closed = around(box).filter(({ isOpen }) => !isOpen);
  for (const outer of closed) setOpen(outer, true);
  if (closed.length > 0) layOut(closed.at(-1));
  const isTyping = document.activeElement === search.field;
  if (!isTyping) focus(box);
  // Its panel may take height from the drawing.
  selection.pick(box);
  view.bring(box.at);
}

/** One box is in the order of the Tab key: the last that had the focus. */
let inTabOrder = boxes[0];
function focus(box: Box): void {
  inTabOrder?.element.setAttribute('tabindex', '-1');
  inTabOrder = box;
  box.element.setAttribute('tabindex', '0');
  box.element.focus({ preventScroll: true });
  view.bring({ ...box.at, height: box.isOpen ? Math.min(box.at.height, 120) : box.at.height });
}

function setAll(isOpen: boolean): void {
  for (const box of boxes) setOpen(box, isOpen || box.element.classList.contains('step'));
  layOut();
  begin();
}

/** The first box that is work, not a note about it: one without boxes, inside one with boxes where there is such a one. */
function begin(): void {
  const seen = seenIn(level);
  const leaf = seen.find(
    ({ level: { owner }, inside, isOpen }) => owner !== undefined && (inside === undefined || !isOpen),
  );
  view.begin((leaf ?? seen[0])?.at ?? { x: 0, y: 0, width: 0, height: 0 });
}

/** All panels one below the other, in place of the drawing. */
function asText(): void {
  const isText = !document.body.classList.contains('as-text');
  selection.pick(undefined);
  document.body.classList.toggle('as-text', isText);
  byId('text').setAttribute('aria-pressed', String(isText));
  for (const panel of all<HTMLElement>('aside > section'))
    panel.hidden = isText ? panel.dataset.of === 'search' : panel.dataset.of !== '';
}

const boxOf = (target: EventTarget | null): Box | undefined =>
  target instanceof Element ? byBoxId.get(target.closest('.box')?.id ?? '') : undefined;

const wasMove = listenToGestures(view);
view.svg.addEventListener('click', (event) => {
  if (wasMove()) return;
  const box = boxOf(event.target);
  if (box !== undefined && (event.target as Element).closest('.sign') !== null) toggle(box);
  else selection.pick(box);
});
view.svg.addEventListener('dblclick', (event) => {
  const box = boxOf(event.target);
  if (box !== undefined && (event.target as Element).closest('.sign') === null) toggle(box);
});
overview.steer(view);

const pan = 0.15;
const nearer = (): void => view.zoom(1.25);
const farther = (): void => view.zoom(0.8);
listenToKeys({
  tree: {
    seen: () => seenIn(level),
    isOpen: (box) => (box.canOpen ? box.isOpen : undefined),
    firstInside: ({ inside }) => inside?.boxes[0],
    around: (box) => box.level.owner,
    focus,
    toggle,
    pick: (box) => selection.pick(box),
  },
  itemOf: boxOf,
  shifted: {
    ArrowLeft: () => view.step(-pan, 0),
    ArrowRight: () => view.step(pan, 0),
    ArrowUp: () => view.step(0, -pan),
    ArrowDown: () => view.step(0, pan),
  },
  plain: {
    '+': nearer,
    '=': nearer,
    '-': farther,
    0: () => view.fit(),
    t: asText,
    '/': () => search.field.focus(),
    Escape: () => {
      search.clear();
      selection.pick(undefined);
    },
  },
});
onPress('in', nearer);
onPress('out', farther);
onPress('fit', () => view.fit());
onPress('open', () => setAll(true));
onPress('close', () => setAll(false));
onPress('text', asText);
addEventListener('beforeprint', () => view.fit());

document.addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('aside a') : null;
  const box = byBoxId.get(link?.hash.slice(1) ?? '');
  if (box === undefined) return;
  event.preventDefault();
  goTo(box);
});

inTabOrder?.element.setAttribute('tabindex', '0');
byId<HTMLDetailsElement>('legend').open = view.svg.clientWidth > 700 && view.svg.clientHeight > 500;
layOut();
begin();
// A page that is opened at #step1_2 begins with that box.
const first = byBoxId.get(location.hash.slice(1));
if (first === undefined) selection.pick(undefined);
else goTo(first);

/** A move of fewer pixels is a press. */
const leastMove = 4;

/** Moves and zooms by pointer, fingers and wheel. Gives whether the last press became a move. */
function listenToGestures(view: View): () => boolean {
  const { svg } = view;
  const fingers = new Map<number, readonly [number, number]>();
  let moved = false;
  svg.addEventListener('pointerdown', (event) => {
    fingers.set(event.pointerId, [event.clientX, event.clientY]);
    moved = fingers.size > 1;
  });
  svg.addEventListener('pointermove', (event) => {
    const last = fingers.get(event.pointerId);
    if (last === undefined) return;
    const [dx, dy] = [event.clientX - last[0], event.clientY - last[1]];
    if (!moved && Math.abs(dx) + Math.abs(dy) < leastMove) return;
    if (!moved) svg.setPointerCapture(event.pointerId);
    moved = true;
    const other = [...fingers].find(([id]) => id !== event.pointerId)?.[1];
    if (other === undefined) view.pan(-dx, -dy);
    else {
      const distance = (x: number, y: number): number => Math.hypot(x - other[0], y - other[1]) || 1;
      view.zoom(distance(event.clientX, event.clientY) / distance(...last), view.pointAt(...other));
    }
    fingers.set(event.pointerId, [event.clientX, event.clientY]);
  });
  for (const end of ['pointerup', 'pointercancel', 'pointerleave'] as const)
    svg.addEventListener(end, (event) => fingers.delete(event.pointerId));
  svg.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault();
      const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 20 : 1;
      const turned = Math.max(-60, Math.min(60, event.deltaY * lines));
      view.zoom(Math.exp(-turned * 0.004), view.pointAt(event.clientX, event.clientY));
    },
    { passive: false },
  );
  return () => moved;
}
