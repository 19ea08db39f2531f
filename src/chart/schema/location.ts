import { parseUrl, resolveUrl, unescapePath, urlText } from '../../go/net/url.ts';
import { quote } from '../../go/strconv/strconv.ts';
import { toWellFormed } from '../../go/text.ts';
import { GoError } from '../../go/value.ts';
import { messageOf } from '../../support/errors.ts';
import { pointerKey } from '../../support/json.ts';
import { isObject, type Json } from './json-document.ts';

/** A place in a document: its URL, and a JSON pointer. */
export interface Location {
  readonly url: string;
  readonly pointer: string;
}

/** A reference that is resolved as far as its document. */
export interface Reference {
  readonly url: string;
  /** Decoded: '' or a JSON pointer, or the name of an anchor. */
  readonly fragment: string;
}

export const locationText = ({ url, pointer }: Location): string => `${url}#${encodeFragment(pointer)}`;

export const referenceText = ({ url, fragment }: Reference): string => `${url}#${encodeFragment(fragment)}`;

export const escapeToken = (token: string): string => token.replaceAll('~', '~0').replaceAll('/', '~1');

export const append = (pointer: string, ...tokens: readonly string[]): string =>
  pointer + tokens.map((token) => `/${escapeToken(token)}`).join('');

/** Go's url.PathEscape, with slashes kept. */
const encodeFragment = (fragment: string): string =>
  fragment
    .split('/')
    .map((part) => encodeURIComponent(toWellFormed(part)).replace(/%(?:24|26|2B|3A|3D|40)|[!'()*]/g, pathCharacter))
    .join('/');

const pathCharacter = (text: string): string =>
  text.startsWith('%') ? decodeURIComponent(text) : `%${text.charCodeAt(0).toString(16).toUpperCase()}`;

/** What is at the location. Throws GoError: `json-pointer in "…" not found`. */
export function lookUp(document: Json, location: Location): Json {
  let value = document;
  for (const token of location.pointer.split('/').slice(1)) {
    if (/~(?![01])/.test(token)) throw new GoError(`invalid json-pointer ${quote(locationText(location))}`);
    const next = step(value, pointerKey(token));
    if (next === undefined) throw new GoError(`json-pointer in ${quote(locationText(location))} not found`);
    value = next;
  }
  return value;
}

function step(value: Json, token: string): Json | undefined {
  if (isObject(value)) return value.get(token);
  return Array.isArray(value) && /^\+?[0-9]+$/.test(token) ? (value as readonly Json[])[Number(token)] : undefined;
}

/** At the first `#`. */
export function splitFragment(text: string): [url: string, fragment: string] {
  const hash = text.indexOf('#');
  return hash < 0 ? [text, ''] : [text.slice(0, hash), text.slice(hash + 1)];
}

/** Resolves a reference against the URL of the schema that it is in. Throws GoError. Go: url.join. */
export function resolveReference(base: string, reference: string): Reference {
  const [url, fragment] = splitFragment(reference);
  return { url: inParsing(url, () => joined(base, url)), fragment: inParsing(reference, () => unescapePath(fragment)) };
}

/** A relative reference cannot lead out of a URL such as urn:example:a. */
function joined(base: string, reference: string): string {
  const from = parseUrl(base);
  const to = parseUrl(reference);
  return urlText(to.scheme === '' && from.opaque !== '' ? from : resolveUrl(from, to));
}

function inParsing<T>(text: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw new GoError(`error in parsing ${quote(text)}: ${messageOf(cause)}`, { cause });
  }
}

export const schemeOf = (url: string): string => /^([a-zA-Z][a-zA-Z0-9+.-]*):/.exec(url)?.[1]?.toLowerCase() ?? '';
