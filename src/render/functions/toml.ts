import { parse, TomlDate, TomlError } from 'smol-toml';
import { formatFloat } from '../../go/strconv/format-float.ts';
import { toWellFormed } from '../../go/text.ts';
import { formatTime } from '../../go/time/format.ts';
import { parseTime } from '../../go/time/parse.ts';
import { fixedZone, utc, type Zone } from '../../go/time/zone.ts';
import {
  GoError,
  GoInt,
  type GoMap,
  GoObject,
  goInt64,
  goKindOf,
  isNilList,
  isNilMap,
  type Value,
  withGoType,
} from '../../go/value.ts';
import { compareText } from '../../support/order.ts';
import { Time } from './time-object.ts';

const maxDepth = 1000;

/**
 * TOML text in the layout of github.com/BurntSushi/toml: keys by code point, plain values before tables, tables
 * indented by two spaces a level. Throws GoError with that library's message.
 */
export function writeToml(value: Value): string {
  const writer = new TomlWriter();
  writer.node([], value);
  return writer.text;
}

class TomlWriter {
  text = '';

  node(key: readonly string[], value: Value): void {
    if (key.length > maxDepth) throw new GoError(`toml: nested deeper than ${maxDepth} levels`);
    const plain = underlying(value);
    if (plain instanceof Map) this.table(key, plain);
    else if (Array.isArray(plain) && isTableArray(plain)) this.tableArray(key, plain);
    else this.pair(key, plain);
  }

  private table(key: readonly string[], table: GoMap): void {
    if (key.length === 1) this.newline();
    if (key.length > 0) this.text += `${indentation(key)}[${key.map(keyText).join('.')}]\n`;
    this.members(key, table);
  }

  private tableArray(key: readonly string[], tables: readonly Value[]): void {
    if (key.length === 0) throw new GoError('toml: top-level values must be Go maps or structs');
    for (const table of tables) {
      this.newline();
      this.text += `${indentation(key)}[[${key.map(keyText).join('.')}]]\n`;
      this.members(key, underlying(table) as GoMap);
    }
  }

  private members(key: readonly string[], table: GoMap): void {
    const { direct, tables } = sortedMembers(table);
    for (const [name, value] of [...direct, ...tables]) if (!isNil(value)) this.node([...key, name], value);
  }

  private pair(key: readonly string[], value: Value): void {
    const name = key.at(-1);
    this.text += name === undefined ? valueText(value) : `${indentation(key)}${keyText(name)} = ${valueText(value)}\n`;
  }

  private newline(): void {
    if (this.text !== '') this.text += '\n';
  }
}

const indentation = (key: readonly string[]): string => '  '.repeat(key.length - 1);

type Member = readonly [name: string, value: Value];

/** Members that are no table first: after a table's header, keys would belong to that table. */
function sortedMembers(table: GoMap): { direct: Member[]; tables: Member[] } {
  const members = table instanceof StructMembers ? [...table] : [...table].sort(([a], [b]) => compareText(a, b));
  const areTables = members.map(([, value]) => isTable(value));
  return {
    direct: members.filter((_, index) => !areTables[index]),
    tables: members.filter((_, index) => areTables[index]),
  };
}

function isTable(value: Value): boolean {
  const plain = underlying(value);
  return plain instanceof Map || (Array.isArray(plain) && isTableArray(plain));
}

function isTableArray(list: readonly Value[], depth = 0): boolean {
  if (depth > maxDepth) throw new GoError(`toml: nested deeper than ${maxDepth} levels`);
  let areTables = list.length > 0;
  for (const item of list) {
    const plain = underlying(item);
    if (isNil(plain)) throw new GoError('toml: cannot encode array with nil element');
    if (Array.isArray(plain)) isTableArray(plain, depth + 1);
    if (!(plain instanceof Map)) areTables = false;
  }
  return areTables;
}

const isNil = (value: Value): boolean => value === null || value === undefined || isNilList(value) || isNilMap(value);

/** The members of a struct, which keep their order. */
class StructMembers extends Map<string, Value> {}

/**
 * A struct as the map of its fields, unless it writes itself as text. A time keeps its type, for it is written without
 * quotes; a duration is its text.
 */
function underlying(value: Value): Value {
  if (!(value instanceof GoObject) || value.goType === 'time.Time') return value;
  if (value.goType === 'time.Duration') return value.stringer();
  const encoded = value.encoded();
  const isStruct = value.goKind === 'struct' || value.goKind === 'ptr';
  return isStruct && typeof encoded !== 'string' ? new StructMembers(value.exportedFields()) : encoded;
}

function valueText(value: Value): string {
  const plain = underlying(value);
  switch (typeof plain) {
    case 'string':
      return quoted(plain);
    case 'boolean':
      return String(plain);
    case 'number':
      return floatText(plain);
    default:
  }
  if (plain instanceof GoInt) return String(plain.value);
  if (plain instanceof Map) return inlineTable(plain);
  if (Array.isArray(plain)) return `[${plain.map(valueText).join(', ')}]`;
  if (plain instanceof Uint8Array) return `[${plain.join(', ')}]`;
  if (plain instanceof Time) return timeText(plain);
  if (plain instanceof GoObject) return String(plain.encoded());
  throw new GoError(`unsupported type: ${goKindOf(plain)}`);
}

/** A time without a zone is written without one: as UTC shows it. */
function timeText(time: Time): string {
  const layout = localLayouts[time.instant.zone.name];
  return layout === undefined ? String(time.encoded()) : formatTime(time.in(utc).instant, layout);
}

/** TOML's times without a zone, by the names that the library gives to their zones. */
const localLayouts: Readonly<Record<string, string>> = {
  'datetime-local': '2006-01-02T15:04:05.999999999',
  'date-local': '2006-01-02',
  'time-local': '15:04:05.999999999',
};

function inlineTable(table: GoMap): string {
  const { direct, tables } = sortedMembers(table);
  const text = (members: readonly Member[], isFollowed: boolean): string =>
    members
      .map(([name, value], index) => {
        if (isNil(value)) return '';
        const separator = isFollowed || index < members.length - 1 ? ', ' : '';
        return `${keyText(name)} = ${valueText(value)}${separator}`;
      })
      .join('');
  return `{${text(direct, tables.length > 0)}${text(tables, false)}}`;
}

/** TOML tells a float from an integer by its point or exponent. */
function floatText(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  const text = formatFloat(value, 'g', -1);
  return /[.e]/.test(text) ? text : `${text}.0`;
}

const bareKey = /^[A-Za-z0-9_-]+$/;
const keyText = (key: string): string => (bareKey.test(key) ? key : quoted(key));

const shortEscapes: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\f': '\\f',
  '\r': '\\r',
};

const quoted = (text: string): string =>
  `"${text.replace(/["\\\0-\x1f\x7f]/g, (char) => shortEscapes[char] ?? `\\u${hex4(char)}`)}"`;

const hex4 = (char: string): string => char.charCodeAt(0).toString(16).padStart(4, '0');

/** The zone of times that have none, and what its offset is now. */
export interface TomlClock {
  readonly local: Zone;
  readonly now: Date;
}

/**
 * A TOML document as a map: int64 and float64 numbers, times, lists, maps. Throws GoError; the message begins like the
 * library's (`toml: line 3: …`), its wording is our own parser's.
 */
export function readToml(text: string, clock: TomlClock): GoMap {
  try {
    return toMap(parse(toWellFormed(text), { integersAsBigInt: true }), clock);
  } catch (cause) {
    if (!(cause instanceof TomlError)) throw cause;
    const [message = ''] = cause.message.replace(/^Invalid TOML document: /, '').split('\n');
    throw new GoError(`toml: line ${cause.line}: ${message}`, { cause });
  }
}

function toMap(table: object, clock: TomlClock): GoMap {
  return new Map(Object.entries(table).map(([key, value]) => [key, toValue(value, clock)]));
}

function toValue(value: unknown, clock: TomlClock): Value {
  if (typeof value === 'bigint') return int64Of(value);
  if (value instanceof TomlDate) return timeOf(value, clock);
  if (Array.isArray(value)) return toList(value, clock);
  if (typeof value === 'object' && value !== null) return toMap(value, clock);
  return value as string | number | boolean;
}

function int64Of(value: bigint): Value {
  if (BigInt.asIntN(64, value) !== value) throw new GoError(`toml: ${value} is out of range for int64`);
  return goInt64(value);
}

/** A time with its offset; without one it is in a zone named after what is missing, with the offset of now. */
function timeOf(date: TomlDate, { local, now }: TomlClock): Time {
  const text = date.toISOString();
  if (!date.isLocal()) return new Time(parseTime('2006-01-02T15:04:05Z07:00', text, local), local);
  const name = date.isDate() ? 'date-local' : date.isTime() ? 'time-local' : 'datetime-local';
  const zone = fixedZone(name, local.at(Math.floor(now.getTime() / 1000)).offset);
  return new Time({ ...parseTime(localLayouts[name] as string, text, zone), zone }, local);
}

/** A list of tables has a type of its own, whether it was written with [[…]] or inline. */
function toList(items: readonly unknown[], clock: TomlClock): Value {
  const list = items.map((item) => toValue(item, clock));
  const areTables = list.length > 0 && list.every((item) => item instanceof Map);
  return areTables ? withGoType(list, '[]map[string]interface {}') : list;
}
