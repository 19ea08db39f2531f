import { writeJson } from '../go/json/json.ts';
import { formatFloat } from '../go/strconv/format-float.ts';
import { quote } from '../go/strconv/strconv.ts';
import { GoError, GoInt, type GoMap, type Value } from '../go/value.ts';
import { compareText } from '../support/order.ts';
import { readTypedYaml } from '../yaml/index.ts';

/** The type of a field of a Go struct that a YAML file is read into. */
export type FieldType =
  | { readonly kind: 'string' | 'bool' | 'time' | 'any' }
  /** Texts, whatever is there: a key that Go's struct lacks can be no error. */
  | { readonly kind: 'names' }
  | { readonly kind: 'list'; readonly of: FieldType; readonly goType: string }
  | { readonly kind: 'string-map'; readonly listKeys?: readonly string[] }
  | StructType;

export interface StructType {
  readonly kind: 'struct';
  /** With its package, as in `v2.Metadata`. */
  readonly goType: string;
  /** Where it is not what follows the package: '' for a struct without a name. */
  readonly name?: string;
  /** By the names that the file uses. */
  readonly fields: Readonly<Record<string, { readonly name: string; readonly type: FieldType }>>;
}

export type Struct = Readonly<Record<string, unknown>>;

export interface StructOptions {
  /** Whether unknown keys and keys that occur twice are errors (sigs.k8s.io/yaml.UnmarshalStrict). */
  readonly strict?: boolean;
}

/**
 * Reads YAML into a Go struct, as sigs.k8s.io/yaml and encoding/json do: unknown keys are dropped, names match without
 * regard to case, a number or boolean becomes text where text is wanted, null changes nothing. Fields that the text
 * does not have are absent. undefined for an empty text.
 * Throws YamlError, or GoError (`error unmarshaling JSON: while decoding JSON: json: cannot unmarshal …`).
 */
export function readStruct(text: string, type: StructType, options: StructOptions = {}): Struct | undefined {
  const { strict = false } = options;
  return structFromYaml(readTypedYaml(text, { strict }), type, options);
}

/** The same for a part of a YAML text that `readTypedYaml` has read. */
export function structFromYaml(value: Value, type: StructType, { strict = false }: StructOptions): Struct | undefined {
  if (value === null) return undefined;
  const decoder = new StructDecoder({ isStrict: strict, isYaml: true });
  const struct = decoder.decode(value, type, { struct: '', path: [] });
  if (decoder.problem !== undefined)
    throw new GoError(`error unmarshaling JSON: while decoding JSON: ${decoder.problem}`);
  return struct as Struct;
}

/**
 * A value that was read from JSON as a Go struct: as {@link readStruct}, but only text is text. undefined for null.
 * Throws GoError (`json: cannot unmarshal …`).
 */
export function structFromJson(value: Value, type: StructType): Struct | undefined {
  const decoder = new StructDecoder({ isStrict: false, isYaml: false });
  const struct = decoder.decode(value, type, { struct: '', path: [] });
  if (decoder.problem !== undefined) throw new GoError(decoder.problem);
  return struct as Struct | undefined;
}

/** A list that holds anything but texts stays whole, as its JSON: whoever reads the names says what is wrong with it. */
function namesIn(value: Value): readonly string[] {
  const texts = (Array.isArray(value) ? value : [value]).map((item) => asText(item));
  return texts.every((text) => text !== undefined) ? texts : [writeJson(value)];
}

/** Where a value is: the innermost struct's name, and the keys from the outermost one. */
interface Place {
  readonly struct: string;
  readonly path: readonly string[];
}

/** Goes on after a mismatch, and reports the first, as encoding/json does. */
class StructDecoder {
  problem: string | undefined;
  private readonly isStrict: boolean;
  private readonly isYaml: boolean;

  constructor({ isStrict, isYaml }: { readonly isStrict: boolean; readonly isYaml: boolean }) {
    this.isStrict = isStrict;
    this.isYaml = isYaml;
  }

  decode(value: Value, type: FieldType, place: Place): unknown {
    if (value === null || value === undefined) return undefined;
    switch (type.kind) {
      case 'any':
        return asJson(value);
      case 'string':
        return this.text(value) ?? this.mismatch(value, 'string', place);
      case 'bool':
        return typeof value === 'boolean' ? value : this.mismatch(value, 'bool', place);
      case 'names':
        return namesIn(value);
      case 'time':
        return this.time(value);
      case 'list':
        return this.list(value, type, place);
      case 'string-map':
        return this.stringMap(value, type.listKeys ?? [], place);
      case 'struct':
        return value instanceof Map ? this.struct(value, type, place) : this.mismatch(value, type.goType, place);
    }
  }

  private text(value: Value): string | undefined {
    if (this.isYaml) return asText(value);
    return typeof value === 'string' ? value : undefined;
  }

  private list(value: Value, type: FieldType & { kind: 'list' }, place: Place): unknown {
    if (!Array.isArray(value)) return this.mismatch(value, type.goType, place);
    const empty = type.of.kind === 'string' ? '' : null;
    return value.map((item) => this.decode(item, type.of, place) ?? empty);
  }

  /** Under `listKeys` a list of texts is as good as its JSON; that is ours, Go knows only texts. */
  private stringMap(value: Value, listKeys: readonly string[], place: Place): unknown {
    if (!(value instanceof Map)) return this.mismatch(value, 'map[string]string', place);
    const entries = inJsonOrder(value).map(([key, item]) => {
      if (listKeys.includes(key) && Array.isArray(item)) return [key, JSON.stringify(item.map((each) => asText(each)))];
      return [key, this.decode(item, { kind: 'string' }, place) ?? ''];
    });
    return Object.fromEntries(entries);
  }

  private struct(value: GoMap, type: StructType, place: Place): Struct {
    const struct: Record<string, unknown> = {};
    for (const [key, item] of inJsonOrder(value)) {
      const jsonName = fieldNamed(type, key);
      if (jsonName === undefined) {
        if (this.isStrict) this.problem ??= `json: unknown field ${quote(key)}`;
        continue;
      }
      const field = type.fields[jsonName] as StructType['fields'][string];
      const name = type.name ?? type.goType.slice(type.goType.indexOf('.') + 1);
      const decoded = this.decode(item, field.type, { struct: name, path: [...place.path, jsonName] });
      if (decoded !== undefined) struct[field.name] = decoded;
    }
    return struct;
  }

  private time(value: Value): unknown {
    const text = typeof value === 'string' ? value : undefined;
    if (text !== undefined && rfc3339.test(text))
      return text.replace(/(\.(?:0*[1-9])*)0+(?=[Z+-])/, '$1').replace(/\.(?=[Z+-])/, '');
    this.problem ??=
      text === undefined
        ? 'Time.UnmarshalJSON: input is not a JSON string'
        : `parsing time ${JSON.stringify(JSON.stringify(text))} as "2006-01-02T15:04:05Z07:00": cannot parse it`;
    return undefined;
  }

  private mismatch(value: Value, goType: string, { struct, path }: Place): undefined {
    const where = path.length === 0 ? 'Go value' : `Go struct field ${struct}.${path.join('.')}`;
    this.problem ??= `json: cannot unmarshal ${jsonKind(value)} into ${where} of type ${goType}`;
    return undefined;
  }
}

const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[-+]\d\d:\d\d)$/;

/** Go writes the YAML as JSON, by sorted keys, and reads that. */
const inJsonOrder = (map: GoMap): [string, Value][] => [...map].sort(([a], [b]) => compareText(a, b));

function fieldNamed(type: StructType, key: string): string | undefined {
  if (Object.hasOwn(type.fields, key)) return key;
  const folded = key.toLowerCase();
  return Object.keys(type.fields).find((name) => name.toLowerCase() === folded);
}

function asText(value: Value): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return float32Text(value);
  return value instanceof GoInt ? String(value.value) : undefined;
}

/** strconv.FormatFloat(value, 'g', -1, 32). */
function float32Text(value: number): string {
  const single = Math.fround(value);
  if (single === 0) return formatFloat(single, 'g', -1);
  for (let digits = 1; digits < 9; digits++) {
    const rounded = Number(single.toPrecision(digits));
    if (Math.fround(rounded) === single) return formatFloat(rounded, 'g', -1);
  }
  return formatFloat(Number(single.toPrecision(9)), 'g', -1);
}

/** What encoding/json makes of a value that may be anything: all numbers are float64. */
function asJson(value: Value): Value {
  if (value instanceof GoInt) return Number(value.value);
  if (value instanceof Map) return new Map([...value].map(([key, item]) => [key, asJson(item)]));
  return Array.isArray(value) ? value.map(asJson) : value;
}

function jsonKind(value: Value): string {
  if (value instanceof Map) return 'object';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value === 'string' ? 'string' : 'number';
}
