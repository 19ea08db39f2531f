import { quote } from '../../go/strconv/strconv.ts';
import { toWellFormed } from '../../go/text.ts';
import { GoError } from '../../go/value.ts';
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
export const encodeFragment = (fragment: string): string =>
  fragment
    .split('/')
    .map((part) => encodeURIComponent(toWellFormed(part)).replace(/%(?:24|26|2B|3A|3D|40)|[!'()*]/g, pathCharacter))
    .join('/');

const pathCharacter = (text: string): string =>
  text.startsWith('%') ? decodeURIComponent(text) : `%${text.charCodeAt(0).toString(16).toUpperCase()}`;

/** What stands at the location. Throws GoError: `json-pointer in "…" not found`. */
export function lookUp(document: Json, location: Location): Json {
  let value = document;
  for (const token of location.pointer.split('/').slice(1)) {
    if (/~(?![01])/.test(token)) throw new GoError(`invalid json-pointer ${quote(locationText(location))}`);
    const next = step(value, token.replaceAll('~1', '/').replaceAll('~0', '~'));
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

/** Resolves a reference against the URL of the schema that it stands in. Throws GoError. */
export function resolveReference(base: string, reference: string): Reference {
  const [url, fragment] = splitFragment(reference);
  return { url: resolveUrl(base, url), fragment: decodeFragment(fragment, reference) };
}

function decodeFragment(fragment: string, whole: string): string {
  const broken = /%(?![0-9a-fA-F]{2})[^]{0,2}/.exec(fragment);
  if (broken !== null) throw new GoError(`error in parsing ${quote(whole)}: invalid URL escape ${quote(broken[0])}`);
  return Buffer.from(
    fragment.replace(/%([0-9a-fA-F]{2})|[^]/gu, (char, hex?: string) =>
      hex === undefined ? Buffer.from(char).toString('latin1') : String.fromCharCode(Number.parseInt(hex, 16)),
    ),
    'latin1',
  ).toString();
}

interface UrlParts {
  readonly scheme: string | undefined;
  readonly authority: string | undefined;
  readonly path: string;
  readonly query: string | undefined;
}

/** RFC 3986, 5.2, as net/url does it; `text` has no fragment. */
function resolveUrl(base: string, text: string): string {
  const from = parseUrl(base);
  const to = parseUrl(text);
  if (to.scheme !== undefined) return joinUrl({ ...to, path: withoutDots(to.path) });
  // A relative reference cannot lead out of a URL such as urn:example:a.
  if (from.authority === undefined && !from.path.startsWith('/')) return base;
  if (to.authority !== undefined) return joinUrl({ ...to, scheme: from.scheme, path: withoutDots(to.path) });
  if (to.path === '') return joinUrl({ ...from, query: to.query ?? from.query });
  const path = to.path.startsWith('/') ? to.path : from.path.slice(0, from.path.lastIndexOf('/') + 1) + to.path;
  return joinUrl({ ...from, path: withoutDots(path), query: to.query });
}

function parseUrl(text: string): UrlParts {
  if (/[\0-\x1f\x7f]/.test(text))
    throw new GoError(
      `error in parsing ${quote(text)}: parse ${quote(text)}: net/url: invalid control character in URL`,
    );
  const broken = /%(?![0-9a-fA-F]{2})[^]{0,2}/.exec(text);
  if (broken !== null)
    throw new GoError(`error in parsing ${quote(text)}: parse ${quote(text)}: invalid URL escape ${quote(broken[0])}`);
  const match = /^(?:([a-zA-Z][a-zA-Z0-9+.-]*):)?(?:\/\/([^/?]*))?([^?]*)(?:\?(.*))?$/s.exec(text);
  const [, scheme, authority, path = '', query] = match ?? [];
  return { scheme: scheme?.toLowerCase(), authority, path, query };
}

const joinUrl = ({ scheme, authority, path, query }: UrlParts): string =>
  [
    scheme === undefined ? '' : `${scheme}:`,
    authority === undefined ? '' : `//${authority}`,
    path.replaceAll(' ', '%20'),
    query === undefined ? '' : `?${query}`,
  ].join('');

function withoutDots(path: string): string {
  if (!path.startsWith('/')) return path;
  const kept: string[] = [];
  const elements = path.slice(1).split('/');
  for (const [index, element] of elements.entries()) {
    const isLast = index === elements.length - 1;
    if (element === '..') kept.pop();
    else if (element !== '.') kept.push(element);
    if (isLast && (element === '.' || element === '..')) kept.push('');
  }
  return `/${kept.join('/')}`;
}

export const schemeOf = (url: string): string => /^([a-zA-Z][a-zA-Z0-9+.-]*):/.exec(url)?.[1]?.toLowerCase() ?? '';
