import { ifReadable } from '../../go/if-readable.ts';
import { parseUrl } from '../../go/net/url.ts';
import { compileRegexp } from '../../go/regexp.ts';
import { byteLength } from '../../go/text.ts';

// What Chart.yaml's addresses must look like: govalidator's grammars, put together from named parts. RE2 reads them,
// because backtracking could take for ever on some texts.

const other = String.raw`\x{00A0}-\x{D7FF}\x{F900}-\x{FDCF}\x{FDF0}-\x{FFEF}`;
const letter = `[a-zA-Z${other}]`;
const letterOrDigit = `[a-zA-Z0-9${other}]`;

const atom = `[a-zA-Z0-9!#$%&'*+\\-/=?^_\`{|}~${other}]+`;
const folding = String.raw`(?:(?:[ \t]*\r\n)?[ \t]+)?`;
const quotedCharacter = `(?:[\\x01-\\x08\\x0b\\x0c\\x0e-\\x1f!#-\\[\\]-\\x7f${other}]|\\([\\x01-\\x09\\x0b-\\x7f])`;
const mailbox = `(?:${atom}(?:\\.${atom})*|"(?:${folding}${quotedCharacter})*${folding}")`;
const mailLabel = `${letterOrDigit}(?:[a-zA-Z0-9\\-._~${other}]*${letterOrDigit})?`;
const mailTopLabel = `${letter}(?:[a-zA-Z0-9\\-_~${other}]*${letter})?`;
const emailPattern = `^${mailbox}@(?:${mailLabel}\\.)+${mailTopLabel}\\.?$`;

/** govalidator.IsEmail. */
export const isEmail = (text: string): boolean => compileRegexp(emailPattern).matches(text);

const hex = '[0-9a-fA-F]{1,4}';
const byte = '(?:25[0-5]|(?:2[0-4]|1?[0-9])?[0-9])';
const dotted = `(?:${byte}\\.){3}${byte}`;
const ipV6 = [
  `(?:${hex}:){7}${hex}`,
  `(?:${hex}:){1,7}:`,
  ...[1, 2, 3, 4, 5, 6].map((after) => `(?:${hex}:){1,${7 - after}}(?::${hex}){1,${after}}`),
  `:(?:(?::${hex}){1,7}|:)`,
  'fe80:(?::[0-9a-fA-F]{0,4}){0,4}%[0-9a-zA-Z]+',
  `::(?:ffff(?::0{1,4})?:)?${dotted}`,
  `(?:${hex}:){1,4}:${dotted}`,
].join('|');
const ipV4 = [
  '(?:[1-9][0-9]?|1[0-9][0-9]|2[01][0-9]|22[0-3]|24[0-9]|25[0-5])',
  '(?:\\.(?:[0-9]{1,2}|1[0-9][0-9]|2[0-4][0-9]|25[0-5])){2}',
  '\\.(?:[0-9][0-9]?|1[0-9][0-9]|2[0-4][0-9]|25[0-5])',
].join('');

const alphanumeric = '[a-zA-Z0-9]';
const international = String.raw`[a-zA-Z\x{00a1}-\x{ffff}]`;
const internationalOrDigit = String.raw`[a-zA-Z\x{00a1}-\x{ffff}0-9]`;
const subdomain = `(?:www\\.|${alphanumeric}+(?:[-_.]?${alphanumeric})*${alphanumeric}\\.${alphanumeric}+)`;
const leadingLabels = `${alphanumeric}(?:[a-zA-Z0-9\\-_]+)?${alphanumeric}(?:[-.]${alphanumeric}+)*`;
const hostName = [
  `(?:${leadingLabels}|${subdomain}?)?`,
  `(?:${internationalOrDigit}+-?-?)*${internationalOrDigit}+`,
  `(?:\\.${international}+)?`,
].join('');
const urlPattern = [
  '^(?:(?:ftp|tcp|udp|wss?|https?)://)?',
  String.raw`(?:\S+(?::\S*)?@)?`,
  `(?:${ipV4}|\\[(?:${ipV6})\\]|${hostName})\\.?`,
  '(?::[0-9]{1,5})?',
  String.raw`(?:[/?#]\S*)?$`,
].join('');

/** govalidator.IsURL: a host is enough, a scheme is not needed. */
export function isUrl(text: string): boolean {
  if ([...text].length >= 2083 || byteLength(text) <= 3 || text.startsWith('.')) return false;
  const hasPortOnly = text.includes(':') && !text.includes('://');
  const url = ifReadable(() => parseUrl(hasPortOnly ? `http://${text}` : text));
  if (url === undefined || url.host.startsWith('.')) return false;
  if (url.host === '' && url.path !== '' && !url.path.includes('.')) return false;
  return compileRegexp(urlPattern).matches(text);
}

/** govalidator.IsRequestURL: a URL with a scheme. */
export function isRequestUrl(text: string): boolean {
  // A request's URL has no fragment: `#` counts as part of the path, and no host has one.
  if (/^[^/?]*:\/\/[^/?]*#/.test(text)) return false;
  return (ifReadable(() => parseUrl(text.replaceAll('#', '%23')))?.scheme ?? '') !== '';
}
