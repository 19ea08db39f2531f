/** A file of sops in fifty ways that it is not: characters exchanged, lines gone, doubled or exchanged. */
export function changesOf(text) {
  const changed = [];
  const lines = text.split('\n');
  for (let index = 0; index < 30; index += 1) {
    const at = Math.floor((text.length * (index + 0.5)) / 30);
    changed.push(text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1));
  }
  for (let index = 0; index < 10; index += 1) {
    const at = Math.floor((lines.length * (index + 0.5)) / 10);
    changed.push(lines.filter((_line, other) => other !== at).join('\n'));
  }
  for (let index = 0; index < 10; index += 1) {
    const at = 1 + Math.floor(((lines.length - 3) * index) / 10);
    changed.push([...lines.slice(0, at), lines[at + 1], lines[at], ...lines.slice(at + 2)].join('\n'));
  }
  return changed;
}
