import { nameOfKeys } from '../../chart/tables.ts';
import type { ValueMistake } from '../../render/value-mistake.ts';
import type { OnDisk } from './chart-file.ts';
import { givenText, labelled, setTo } from './fault-text.ts';
import { inOwnFile } from './given-values.ts';

/** Where the value is set, or belongs. */
export function valueLines({ keys, field, code, text, ...places }: ValueMistake, onDisk: OnDisk): readonly string[] {
  const { place, above, given } = places;
  const name = nameOfKeys(keys);
  const set = given === undefined ? place && `in ${at(place, onDisk)}` : givenText(given);
  if (code !== 'value-missing') return set === undefined ? [] : [labelled('value', `${name} is ${setTo(text)}${set}`)];
  const wanted = field === undefined ? keys : [...keys, field];
  const fix = (file: string): string =>
    labelled('fix', inOwnFile(`set ${nameOfKeys(wanted)} with -f, with --set, or in ${file}`, places.ownFile));
  const file = place === undefined ? 'values.yaml' : onDisk(place.file);
  if (set !== undefined) return [labelled('value', `${name} is set to nothing ${set}`), fix(file)];
  if (above === undefined) return [`${fix('values.yaml')}:`, ...snippet(wanted)];
  const missing = wanted.slice(above.keys.length);
  return [
    labelled('value', `${nameOfKeys(above.keys)} is set in ${at(above, onDisk)} and has no ${missing[0]}`),
    `${fix(`${onDisk(above.file)} below line ${above.line}`)}:`,
    ...snippet(missing),
  ];
}

const at = ({ file, line }: { readonly file: string; readonly line: number }, onDisk: OnDisk): string =>
  `${onDisk(file)}:${line}`;

/** Keys as they are written into values.yaml. */
const snippet = (keys: readonly string[]): readonly string[] =>
  keys.map((key, depth) => labelled('', `${'  '.repeat(depth + 1)}${key}:${depth === keys.length - 1 ? ' …' : ''}`));
