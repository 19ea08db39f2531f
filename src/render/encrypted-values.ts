import { placedCharts } from '../chart/paths.ts';
import { decodeText } from '../go/text.ts';
import type { Value } from '../go/value.ts';
import { annotations } from '../manifest/annotations.ts';
import { type FieldPath, pathText } from '../manifest/field-path.ts';
import { itemsOf } from '../manifest/items.ts';
import { parseManifest } from '../manifest/parse.ts';
import { idOf } from '../manifest/resource-id.ts';
import type { Classified, KubernetesObject, ResourceId } from '../manifest/types.ts';
import type { Place } from '../problem/place.ts';
import { problemOf } from '../problem/problem.ts';
import { base64Bytes, base64Text, utf8Bytes } from '../support/bytes.ts';
import { TshelmError } from '../support/errors.ts';
import { isObject } from '../support/json.ts';
import type { Rendering } from './chart-problems.ts';
import { valuePlace } from './value-origins.ts';

const beginning = 'ENC[AES256_GCM,data:';
const encrypted = /ENC\[AES256_GCM,data:[\w+/=]*,iv:[\w+/=]+,tag:[\w+/=]+,type:\w+\]/;
const base64Run = /[A-Za-z0-9+/]{40,}={0,2}/g;

/** Of which a text has one where it has an encrypted value: as it is, or in base64, where three bytes are four characters. */
const marks = [beginning, ...[0, 1, 2].map(encodedBehind)];

function encodedBehind(count: number): string {
  const text = base64Text(utf8Bytes(`${'x'.repeat(count)}${beginning}`));
  return text.slice(Math.ceil((count * 4) / 3), Math.floor(((count + beginning.length) * 4) / 3));
}

/**
 * Refuses objects with a value as sops encrypted it, plain or in base64, wherever it came from: a program that reads it has
 * no use for it. An object that sops encrypted as a whole (it has its metadata) is meant for another program, as is one
 * whose annotation says so. Fails with `encrypted-value`.
 */
export function refuseEncryptedValues(classified: Classified, rendering: Rendering): void {
  const problems = encryptedFields(classified).map(({ source, id, path, value }) =>
    problemOf({
      subject: { kind: 'object', id, template: source },
      cause: { code: 'value-encrypted', path },
      places: placesOf(value, rendering),
      remedies: [{ kind: 'outside', what: 'decrypt-value', name: annotations.encryptedValues }],
    }),
  );
  const [first] = problems;
  if (first === undefined) return;
  const { subject, cause } = first;
  const message = `${subject.id.kind}/${subject.id.name}: ${pathText(cause.path)} would get a value that sops encrypted; decrypt it first`;
  throw new TshelmError('encrypted-value', { message, details: { problems } });
}

interface EncryptedField {
  readonly source: string;
  readonly id: ResourceId;
  readonly path: FieldPath;
  readonly value: string;
}

/** The first of each object that would get a value as sops encrypted it. */
export function encryptedFields({
  manifests,
  hooks,
}: Pick<Classified, 'manifests' | 'hooks'>): readonly EncryptedField[] {
  const documents = [
    ...manifests.map(({ source, text }) => ({ source, text })),
    ...hooks.map(({ path, manifest }) => ({ source: path, text: manifest })),
  ];
  return documents
    .filter(({ text }) => mayHoldEncrypted(text))
    .flatMap(({ source, text }) =>
      itemsOf(parseManifest(text, source).object)
        .filter((object) => !isMeant(object))
        .flatMap((object) =>
          encryptedIn(object, [])
            .slice(0, 1)
            .map((found) => ({ source, id: idOf(object), ...found })),
        ),
    );
}

export const mayHoldEncrypted = (text: string): boolean => marks.some((mark) => text.includes(mark));

/** Whether the values are encrypted for another program. */
const isMeant = (object: KubernetesObject): boolean =>
  isMetadata(object['sops']) || object.metadata.annotations?.[annotations.encryptedValues] === 'keep';

const isMetadata = (value: unknown): boolean => isObject(value) && typeof value['mac'] === 'string';

function encryptedIn(value: unknown, path: FieldPath): readonly { readonly path: FieldPath; readonly value: string }[] {
  if (typeof value === 'string') {
    const found = encryptedText(value);
    return found === undefined ? [] : [{ path, value: found }];
  }
  if (typeof value !== 'object' || value === null) return [];
  const members = Array.isArray(value) ? value.map((item, index) => [index, item] as const) : Object.entries(value);
  return members.flatMap(([key, member]) => encryptedIn(member, [...path, key]));
}

function encryptedText(text: string): string | undefined {
  if (!mayHoldEncrypted(text)) return undefined;
  const plain = encrypted.exec(text)?.[0];
  if (plain !== undefined) return plain;
  for (const [run] of text.matchAll(base64Run)) {
    const found = encrypted.exec(decodeText(base64Bytes(run)))?.[0];
    if (found !== undefined) return found;
  }
  return undefined;
}

/** What has this text: no two encrypted values are the same. */
function placesOf(text: string, rendering: Rendering): readonly Place[] {
  const keys = keysOf(rendering.again.values, text);
  const value = keys && valuePlace(keys, rendering);
  return [...(value === undefined ? [] : [value]), ...filesWith(text, rendering)];
}

function keysOf(values: Value, text: string): readonly string[] | undefined {
  if (typeof values === 'string') return values.includes(text) ? [] : undefined;
  const members = values instanceof Map ? [...values] : Array.isArray(values) ? [...values.entries()] : [];
  for (const [key, value] of members) {
    const found = keysOf(value as Value, text);
    if (found !== undefined) return [String(key), ...found];
  }
  return undefined;
}

/** An error names the values.yaml of a chart with its value. */
const filesWith = (text: string, { again }: Rendering): readonly Place[] =>
  placedCharts(again.chart).flatMap(({ chart, path }) =>
    [...chart.files, ...chart.templates].flatMap(({ name, data }): Place[] => {
      const content = decodeText(data);
      const at = content.indexOf(text);
      const line = content.slice(0, at).split('\n').length;
      return at < 0 ? [] : [{ kind: 'file', file: `${path}/${name}`, line }];
    }),
  );
