/** A bundle in fifty ways that it is not: characters exchanged; fields gone, empty, or with another field's value. */
export function changesOf(text) {
  const changed = [];
  for (let index = 0; index < 25; index += 1) {
    const at = Math.floor((text.length * (index + 0.5)) / 25);
    changed.push(text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1));
  }
  const fields = fieldsOf(JSON.parse(text));
  for (let index = 0; index < 25; index += 1) {
    const at = Math.floor((fields.length * (index + 0.5)) / 25);
    const bundle = JSON.parse(text);
    const [path, other] = [fields[at], fields[(at + 1) % fields.length]];
    const parent = path.slice(0, -1).reduce((object, key) => object[key], bundle);
    const key = path.at(-1);
    if (index % 3 === 0) delete parent[key];
    else parent[key] = index % 3 === 1 ? '' : other.reduce((object, name) => object[name], bundle);
    changed.push(JSON.stringify(bundle));
  }
  return changed;
}

/** The paths of all texts. */
const fieldsOf = (value, path = []) =>
  typeof value === 'string' ? [path] : Object.entries(value).flatMap(([key, one]) => fieldsOf(one, [...path, key]));
