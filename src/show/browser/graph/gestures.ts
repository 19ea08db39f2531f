import type { View } from './view.ts';

/** A move of fewer pixels is a press. */
const leastMove = 4;

/** Moves and zooms by pointer, fingers and wheel. Gives whether the last press became a move. */
export function listenToGestures(view: View): () => boolean {
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
