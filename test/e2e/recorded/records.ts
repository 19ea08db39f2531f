import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A value as record/record.go writes it: JSON, and `{ $: what it is, t: its Go type, v: it }` for the rest. */
export type Recorded = null | boolean | number | string | readonly Recorded[] | { readonly [key: string]: Recorded };

/** A value that JSON has no word for. */
export interface Tagged {
  readonly $: string;
  readonly t: string;
  readonly v: Recorded;
}

/** One call that a test of Helm made, and what Helm's package answered. */
export interface RecordedCall {
  /** The package's folder below the sources, as `helm/pkg/strvals`. */
  readonly package: string;
  readonly test: string;
  /** The last part of the folder, and the function: `strvals.Parse`. */
  readonly op: string;
  readonly args: readonly Recorded[];
  readonly results: readonly Recorded[];
  /** The arguments as the call left them. */
  readonly after?: readonly Recorded[];
  /** What an argument that is a function was asked, and what it answered. */
  readonly notes?: readonly { readonly asked: Recorded; readonly answers: readonly Recorded[] }[];
}

/** The calls below a folder, each different one of a test once. */
export function readRecords(sources: string): RecordedCall[] {
  const folder = join(sources, 'records');
  const found = new Map<string, RecordedCall>();
  for (const name of readdirSync(folder).filter((each) => each.endsWith('.jsonl'))) {
    for (const line of readFileSync(join(folder, name), 'utf8').split('\n')) {
      if (line === '') continue;
      const call = JSON.parse(line) as RecordedCall;
      const place = call.package.slice(sources.length + 1);
      const key = JSON.stringify([place, call.test, call.op, call.args]);
      if (!found.has(key)) found.set(key, { ...call, package: place });
    }
  }
  return [...found.values()];
}

export const isTagged = (value: Recorded | undefined): value is Recorded & Tagged =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && '$' in value;

/** The text of an error that a call gave; undefined for none. */
export const errorOf = (value: Recorded | undefined): string | undefined =>
  isTagged(value) && value.$ === 'error' ? (value.v as string) : undefined;

/** The fields of a struct or of what a pointer leads to; undefined for nil. */
export function fieldsOf(value: Recorded | undefined): Readonly<Record<string, Recorded>> | undefined {
  if (!isTagged(value)) return undefined;
  if (value.$ === 'pointer') return fieldsOf(value.v);
  return ['struct', 'chart'].includes(value.$) ? (value.v as Record<string, Recorded>) : undefined;
}

export function bytesOf(value: Recorded | undefined): Uint8Array {
  if (isTagged(value) && ['bytes', 'raw'].includes(value.$)) return Buffer.from(value.v as string, 'base64');
  return typeof value === 'string' ? Buffer.from(value) : new Uint8Array();
}

/** The items of a list of any type; none of nil. */
export function itemsOf(value: Recorded | undefined): readonly Recorded[] {
  if (Array.isArray(value)) return value as readonly Recorded[];
  if (!isTagged(value)) return [];
  return value.$ === 'list' ? (value.v as readonly Recorded[]) : [];
}

/** The copy of what a path leads to, or the text itself. */
export const pathOf = (value: Recorded | undefined): string =>
  isTagged(value) && value.$ === 'path' ? String((value as { copy?: Recorded }).copy) : textOf(value);

/** A text, of whatever string type it is. */
export function textOf(value: Recorded | undefined): string {
  if (typeof value === 'string') return value;
  return isTagged(value) && ['string', 'path'].includes(value.$) ? (value.v as string) : '';
}

/** Plain JSON: structs as objects by the names of their fields, numbers as numbers, bytes as text, nil as null. */
export function plain(value: Recorded | undefined): unknown {
  if (value === undefined || value === null || typeof value !== 'object') return value ?? null;
  if (Array.isArray(value)) return (value as readonly Recorded[]).map(plain);
  if (!isTagged(value)) return objectOf(value as Record<string, Recorded>);
  switch (value.$) {
    case 'int':
    case 'float':
      return Number(value.v);
    case 'bytes':
    case 'raw':
      return Buffer.from(value.v as string, 'base64').toString();
    case 'nil':
      return null;
    case 'object':
      return value.v;
    default:
      return plain(value.v);
  }
}

const objectOf = (value: Readonly<Record<string, Recorded>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]));
