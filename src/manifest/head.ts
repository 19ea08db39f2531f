import { formatFloat } from '../go/strconv/format-float.ts';
import { compareText } from '../support/order.ts';
import type { FieldPath } from './field-path.ts';

/** The head of a document: what Helm needs to know of it. Absent parts are ''; without metadata, no annotations. */
export interface Head {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly annotations: ReadonlyMap<string, string>;
}

/**
 * The head of a document that has been read from YAML. Follows what sigs.k8s.io/yaml and encoding/json make of Helm's
 * releaseutil.SimpleHead: keys match in any case, scalars become text where text is wanted, null is nothing.
 * Throws a HeadError with their wording where a part has the wrong type.
 */
export function headOf(document: unknown): Head {
  const members = objectAt(document, { path: [], goTarget: 'value of type util.SimpleHead' });
  const metadata = objectAt(member(members, 'metadata'), {
    path: ['metadata'],
    goTarget: `struct field SimpleHead.metadata of type ${metadataType}`,
  });
  return {
    apiVersion: textAt(member(members, 'apiVersion'), ['apiVersion'], 'SimpleHead.apiVersion'),
    kind: textAt(member(members, 'kind'), ['kind'], 'SimpleHead.kind'),
    name: textAt(member(metadata, 'name'), ['metadata', 'name'], '.metadata.name'),
    annotations: annotationsAt(member(metadata, 'annotations')),
  };
}

/** A part of a document that Helm cannot read, and where it is. */
export class HeadError extends Error {
  readonly path: FieldPath;

  constructor(value: unknown, { path, goTarget }: Part) {
    const jsonType = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
    super(`error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${jsonType} into Go ${goTarget}`);
    this.name = 'HeadError';
    this.path = path;
  }
}

interface Part {
  readonly path: FieldPath;
  readonly goTarget: string;
}

type Members = Readonly<Record<string, unknown>>;

const metadataType = 'struct { Name string "json:\\"name\\""; Annotations map[string]string "json:\\"annotations\\"" }';

/** An object's members; none where there is nothing. */
function objectAt(value: unknown, part: Part): Members {
  if (value === null || value === undefined) return {};
  if (typeof value === 'object' && !Array.isArray(value)) return value as Members;
  throw new HeadError(value, part);
}

function annotationsAt(value: unknown): ReadonlyMap<string, string> {
  const where = '.metadata.annotations';
  const path = ['metadata', 'annotations'];
  const entries = Object.entries(
    objectAt(value, { path, goTarget: `struct field ${where} of type map[string]string` }),
  );
  return new Map(entries.map(([key, text]) => [key, textAt(text, [...path, key], where)]));
}

function textAt(value: unknown, path: FieldPath, field: string): string {
  switch (typeof value) {
    case 'undefined':
      return '';
    case 'string':
      return value;
    case 'boolean':
    case 'bigint':
      return String(value);
    case 'number':
      return Number.isInteger(value) ? String(value) : formatFloat(value, 'g', -1);
    default:
      if (value === null) return '';
      throw new HeadError(value, { path, goTarget: `struct field ${field} of type string` });
  }
}

/** encoding/json finds a field by its name in any case; of several keys, the last in sorted order counts. */
function member(members: Members, name: string): unknown {
  const exact = Object.hasOwn(members, name) ? members[name] : undefined;
  if (exact !== undefined && exact !== null) return exact;
  const wanted = name.toLowerCase();
  const keys = Object.keys(members).filter((key) => key.toLowerCase() === wanted);
  return members[keys.sort(compareText).at(-1) ?? name];
}
