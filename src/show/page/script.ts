/**
 * The page's script. It only moves the drawing's viewBox, sets classes, and shows or hides what the page already holds:
 * nothing of the plan passes through it as text.
 */
export const script = `
(() => {
  const svg = document.getElementById('plan');
  const view = svg.viewBox.baseVal;
  const whole = { x: view.x, y: view.y, width: view.width, height: view.height };
  const boxes = [...svg.querySelectorAll('.box')];
  const arrows = [...svg.querySelectorAll('.arrow')];
  const panels = [...document.querySelectorAll('aside > section')];
  const before = new Map(boxes.map((box) => [box.id, box.dataset.after.split(' ').filter(Boolean)]));
  const behind = new Map(boxes.map((box) => [box.id, []]));
  for (const [id, ids] of before) for (const other of ids) behind.get(other).push(id);

  const show = (x, y, width, height) => { view.x = x; view.y = y; view.width = width; view.height = height; };
  const fit = () => {
    const pad = 16;
    show(whole.x - pad, whole.y - pad, Math.max(whole.width, 1) + 2 * pad, Math.max(whole.height, 1) + 2 * pad);
  };
  /** The scale and the corner that preserveAspectRatio makes of the viewBox. */
  const scale = () => Math.max(view.width / svg.clientWidth, view.height / svg.clientHeight);
  const pointAt = (clientX, clientY) => {
    const point = new DOMPoint(clientX, clientY).matrixTransform(svg.getScreenCTM().inverse());
    return [point.x, point.y];
  };
  const zoom = (factor, x = view.x + view.width / 2, y = view.y + view.height / 2) => {
    const width = view.width * factor;
    if (width < 60 || width > 40 * Math.max(whole.width, whole.height, 200)) return;
    show(x - (x - view.x) * factor, y - (y - view.y) * factor, width, view.height * factor);
  };
  const pan = (dx, dy) => show(view.x + dx * view.width, view.y + dy * view.height, view.width, view.height);

  const reach = (id, map, seen = new Set()) => {
    for (const next of map.get(id) ?? []) if (!seen.has(next)) reach(next, map, seen.add(next));
    return seen;
  };
  const pick = (box) => {
    const id = box?.id;
    for (const panel of panels) panel.hidden = panel.dataset.of !== (id ?? '');
    svg.classList.toggle('picked', Boolean(box));
    const near = box ? new Set([id, ...reach(id, before), ...reach(id, behind)]) : new Set();
    for (const one of boxes) {
      const holds = (outer, inner) => inner.startsWith(outer + '_');
      const isAround = box && (holds(one.id, id) || [...near].some((other) => holds(other, one.id)));
      one.classList.toggle('near', near.has(one.id) || Boolean(isAround));
      one.classList.toggle('picked', one === box);
    }
    for (const arrow of arrows) arrow.classList.toggle('near', near.has(arrow.dataset.from) && near.has(arrow.dataset.to));
  };
  const bring = (box) => {
    const { x, y, width, height } = box.getBBox();
    const wide = Math.max(width * 1.4, 640);
    show(x + width / 2 - wide / 2, y + Math.min(height, 300) / 2 - wide / 3, wide, wide / 1.5);
  };

  const fingers = new Map();
  let moved = false;
  svg.addEventListener('pointerdown', (event) => {
    fingers.set(event.pointerId, [event.clientX, event.clientY]);
    moved = false;
  });
  svg.addEventListener('pointermove', (event) => {
    const last = fingers.get(event.pointerId);
    if (!last) return;
    const [dx, dy] = [event.clientX - last[0], event.clientY - last[1]];
    if (!moved && Math.abs(dx) + Math.abs(dy) < 4) return;
    if (!moved) svg.setPointerCapture(event.pointerId);
    moved = true;
    const others = [...fingers].filter(([id]) => id !== event.pointerId).map(([, place]) => place);
    if (others.length === 0) show(view.x - dx * scale(), view.y - dy * scale(), view.width, view.height);
    else {
      const distance = (x, y) => Math.hypot(x - others[0][0], y - others[0][1]) || 1;
      zoom(distance(...last) / distance(event.clientX, event.clientY), ...pointAt(...others[0]));
    }
    fingers.set(event.pointerId, [event.clientX, event.clientY]);
  });
  for (const end of ['pointerup', 'pointercancel', 'pointerleave'])
    svg.addEventListener(end, (event) => fingers.delete(event.pointerId));
  svg.addEventListener('wheel', (event) => {
    event.preventDefault();
    zoom(Math.exp(Math.max(-60, Math.min(60, event.deltaY)) * 0.004), ...pointAt(event.clientX, event.clientY));
  }, { passive: false });
  svg.addEventListener('click', (event) => { if (!moved) pick(event.target.closest('.box')); });
  svg.addEventListener('dblclick', (event) => { const box = event.target.closest('.box'); if (box) bring(box); });

  const keys = { '+': () => zoom(0.8), '=': () => zoom(0.8), '-': () => zoom(1.25), 0: fit, Escape: () => { pick(); search.value = ''; seek(); },
    ArrowLeft: () => pan(-0.1, 0), ArrowRight: () => pan(0.1, 0), ArrowUp: () => pan(0, -0.1), ArrowDown: () => pan(0, 0.1) };
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const inText = event.target === search;
    if (event.key === '/' && !inText) { event.preventDefault(); search.focus(); return; }
    const box = event.target.closest?.('.box');
    if (box && (event.key === 'Enter' || event.key === ' ')) { event.preventDefault(); pick(box); return; }
    const inPanel = event.target.closest?.('aside');
    if (keys[event.key] && (event.key === 'Escape' || !(inText || inPanel))) { event.preventDefault(); keys[event.key](); }
  });
  svg.addEventListener('focusin', (event) => {
    const box = event.target.closest('.box');
    if (!box || !box.matches(':focus-visible')) return;
    const frame = svg.getBoundingClientRect();
    const at = box.querySelector('rect').getBoundingClientRect();
    const isSeen = at.left >= frame.left && at.top >= frame.top && at.left < frame.right - 40 && at.top < frame.bottom - 20;
    if (!isSeen) bring(box);
  });

  const search = document.getElementById('search');
  const seek = () => {
    const wanted = search.value.trim().toLowerCase();
    svg.classList.toggle('sought', wanted !== '');
    for (const box of boxes) {
      const panel = panels.find((one) => one.dataset.of === box.id);
      box.classList.toggle('found', wanted !== '' && panel.textContent.toLowerCase().includes(wanted));
    }
  };
  search.addEventListener('input', seek);
  search.addEventListener('keydown', (event) => {
    const first = boxes.filter((box) => box.classList.contains('found')).at(-1);
    if (event.key === 'Enter' && first) { first.focus(); bring(first); pick(first); }
  });
  for (const link of document.querySelectorAll('aside a'))
    link.addEventListener('click', (event) => {
      event.preventDefault();
      const box = document.getElementById(link.hash.slice(1));
      bring(box); pick(box); box.focus({ preventScroll: true });
    });
  document.getElementById('in').addEventListener('click', () => zoom(0.8));
  document.getElementById('out').addEventListener('click', () => zoom(1.25));
  document.getElementById('fit').addEventListener('click', fit);
  fit();
  // A page that is opened at #step1_2 begins with that box.
  const first = boxes.find((box) => '#' + box.id === location.hash);
  pick(first);
})();
`;
