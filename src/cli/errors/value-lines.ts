import { nameOfKeys } from '../../chart/tables.ts';
import type { ValueMistake } from '../../render/value-mistake.ts';
import { unreachable } from '../../support/errors.ts';
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

/** The values that may be at fault, in one line. */
export function maybeLines(likely: readonly ValueMistake[], onDisk: OnDisk): readonly string[] {
  if (likely.length === 0) return [];
  const shown = likely.slice(0, maxLikely).map((mistake) => maybeText(mistake, onDisk));
  return [labelled('maybe', shown.join(', or '))];
}

const maxLikely = 3;

/** `image.tag is not set (web/values.yaml:2)`, `the chart refuses preset "mediun" (--set): did you mean "medium"?` */
function maybeText(mistake: ValueMistake, onDisk: OnDisk): string {
  const { keys, field, code, text = '', meant, given, place } = mistake;
  const where = given === undefined ? place && at(place, onDisk) : 'flag' in given ? given.flag : at(given, onDisk);
  const behind = where === undefined ? '' : ` (${where})`;
  const name = nameOfKeys(keys);
  switch (code) {
    case 'value-missing':
      return `${nameOfKeys(field === undefined ? keys : [...keys, field])} is not set${behind}`;
    case 'value-not-a-map':
    case 'value-not-a-list':
      return `${name} is ${text}${behind}, ${code === 'value-not-a-map' ? 'not a map' : 'neither a list nor a map'}`;
    case 'value-refused':
      return `the chart refuses ${name}${text && ` ${text}`}${behind}${meant === undefined ? '' : `: did you mean "${meant}"?`}`;
    default:
      return unreachable(code);
  }
}

const at = ({ file, line }: { readonly file: string; readonly line: number }, onDisk: OnDisk): string =>
  `${onDisk(file)}:${line}`;

/** Keys as they are written into values.yaml. */
const snippet = (keys: readonly string[]): readonly string[] =>
  keys.map((key, depth) => labelled('', `${'  '.repeat(depth + 1)}${key}:${depth === keys.length - 1 ? ' …' : ''}`));
