import { isIPv6 } from '../../go/ip-address.ts';
import { parseUrl } from '../../go/net/url.ts';
import { atoi, quote, quoteRune } from '../../go/strconv/strconv.ts';
import { byteLength } from '../../go/text.ts';
import { parseTime } from '../../go/time/parse.ts';
import { utc } from '../../go/time/zone.ts';
import { messageOf } from '../../support/errors.ts';
import { cachedRegexp } from './regexps.ts';

/** A format that a schema can ask for. */
export interface Format {
  readonly name: string;
  /** What is wrong with a text; undefined for a good one. Values of other types fit every format. */
  readonly problem: Problem;
}

type Problem = (text: string) => string | undefined;

/** The format of this name; undefined for one that is not checked (format.go of santhosh-tekuri/jsonschema). */
export function formatNamed(name: string | undefined): Format | undefined {
  if (name === undefined || !Object.hasOwn(problems, name)) return undefined;
  return { name, problem: problems[name] as Problem };
}

const problems: Readonly<Record<string, Problem>> = {
  regex: regexProblem,
  'json-pointer': jsonPointerProblem,
  'relative-json-pointer': relativeJsonPointerProblem,
  uuid: uuidProblem,
  duration: durationProblem,
  period: periodProblem,
  ipv4: ipv4Problem,
  ipv6: ipv6Problem,
  hostname: hostnameProblem,
  email: emailProblem,
  date: dateProblem,
  time: timeProblem,
  'date-time': dateTimeProblem,
  uri: uriProblem,
  iri: uriProblem,
  'uri-reference': uriReferenceProblem,
  'iri-reference': uriReferenceProblem,
  'uri-template': uriTemplateProblem,
  semver: semverProblem,
};

const caught = (check: () => unknown): string | undefined => {
  try {
    check();
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
};

function regexProblem(text: string): string | undefined {
  return caught(() => cachedRegexp(text));
}

/** The first character outside a set, as messages show it. */
function firstInvalidCharacter(text: string, allowed: RegExp): string | undefined {
  for (const rune of text) if (!allowed.test(rune)) return quoteRune(rune.codePointAt(0) as number);
  return undefined;
}

function jsonPointerProblem(text: string): string | undefined {
  if (text === '') return undefined;
  if (!text.startsWith('/')) return 'not starting with /';
  return /~(?![01])/.test(text) ? '~ must be followed by 0 or 1' : undefined;
}

function relativeJsonPointerProblem(text: string): string | undefined {
  const digits = /^[0-9]*/.exec(text)?.[0] ?? '';
  if (digits === '') return 'must start with non-negative integer';
  if (/^0./.test(digits)) return 'starts with zero';
  const rest = text.slice(digits.length);
  return rest === '#' ? undefined : jsonPointerProblem(rest);
}

function uuidProblem(text: string): string | undefined {
  const lengths = [8, 4, 4, 4, 12];
  const groups = text.split('-');
  if (groups.length !== lengths.length) return `must have ${lengths.length} elements`;
  for (const [index, group] of groups.entries()) {
    if (byteLength(group) !== lengths[index]) return `element ${index + 1} must be ${lengths[index]} characters long`;
    const rune = firstInvalidCharacter(group, /[0-9a-fA-F]/);
    if (rune !== undefined) return `non-hex character ${rune}`;
  }
  return undefined;
}

function durationProblem(text: string): string | undefined {
  if (!text.startsWith('P')) return 'must start with P';
  if (text === 'P') return 'nothing after P';
  if (text.endsWith('W')) {
    const weeks = text.slice(1, -1);
    if (weeks === '') return 'no number in week';
    return /^[0-9]+$/.test(weeks) ? undefined : 'invalid week';
  }
  const allUnits = ['YMD', 'HMS'];
  for (const [index, part] of text.slice(1).split('T').entries()) {
    if (index > 0 && part === '') return 'no time elements';
    const units = allUnits[index];
    if (units === undefined) return 'more than one T';
    const problem = durationPartProblem(part, units);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function durationPartProblem(part: string, allUnits: string): string | undefined {
  let units = allUnits;
  for (let rest = part; rest !== ''; ) {
    const digits = /^[0-9]*/.exec(rest)?.[0] ?? '';
    if (digits === '') return 'missing number';
    const unit = rest.charAt(digits.length);
    if (unit === '') return 'missing unit';
    const position = units.indexOf(unit);
    if (position < 0) {
      const shown = quoteRune(unit.charCodeAt(0));
      return allUnits.includes(unit) ? `unit ${shown} out of order` : `invalid unit ${shown}`;
    }
    units = units.slice(position + 1);
    rest = rest.slice(digits.length + 1);
  }
  return undefined;
}

function ipv4Problem(text: string): string | undefined {
  const groups = text.split('.');
  if (groups.length !== 4) return 'expected four decimals';
  for (const group of groups) {
    if (/^0./.test(group)) return 'leading zeros';
    const problem = caught(() => atoi(group));
    if (problem !== undefined) return problem;
    if (atoi(group) < 0n || atoi(group) > 255n) return 'decimal must be between 0 and 255';
  }
  return undefined;
}

function ipv6Problem(text: string): string | undefined {
  if (!text.includes(':')) return 'missing colon';
  const [address = ''] = text.split('%', 1);
  if (!isIPv6(address)) return `ParseAddr(${quote(text)}): unable to parse IP`;
  return address === text ? undefined : 'zone id is not a part of ipv6 address';
}

function hostnameProblem(text: string): string | undefined {
  const name = text.replace(/\.$/, '');
  if (byteLength(name) > 253) return 'more than 253 characters long';
  for (const label of name.split('.')) {
    const length = byteLength(label);
    if (length < 1 || length > 63) return 'label must be 1 to 63 characters long';
    if (label.startsWith('-')) return 'label starts with hyphen';
    if (label.endsWith('-')) return 'label ends with hyphen';
    const rune = firstInvalidCharacter(label, /[a-zA-Z0-9-]/);
    if (rune !== undefined) return `invalid character ${rune}`;
  }
  return undefined;
}

function emailProblem(text: string): string | undefined {
  if (byteLength(text) > 254) return 'more than 255 characters long';
  const at = text.lastIndexOf('@');
  if (at < 0) return 'missing @';
  return localPartProblem(text.slice(0, at)) ?? domainProblem(text.slice(at + 1));
}

function localPartProblem(local: string): string | undefined {
  if (byteLength(local) > 64) return 'local part more than 64 characters long';
  if (/^".*"$/s.test(local))
    return /[\\"]/.test(local.slice(1, -1))
      ? 'backslash and quote are not allowed within quoted local part'
      : undefined;
  if (local.startsWith('.')) return 'starts with dot';
  if (local.endsWith('.')) return 'ends with dot';
  if (local.includes('..')) return 'consecutive dots';
  const rune = firstInvalidCharacter(local, /[a-zA-Z0-9.!#$%&'*+\-/=?^_`{|}~]/);
  return rune && `invalid character ${rune}`;
}

function domainProblem(domain: string): string | undefined {
  if (!/^\[.*\]$/s.test(domain)) return prefixed('invalid domain', hostnameProblem(domain));
  const address = domain.slice(1, -1);
  if (address.startsWith('IPv6:')) return prefixed('invalid ipv6 address', ipv6Problem(address.slice(5)));
  return prefixed('invalid ipv4 address', ipv4Problem(address));
}

const prefixed = (prefix: string, problem: string | undefined): string | undefined =>
  problem && `${prefix}: ${problem}`;

function dateProblem(text: string): string | undefined {
  return caught(() => parseTime('2006-01-02', text, utc));
}

function timeProblem(text: string): string | undefined {
  if (byteLength(text) < 9) return 'less than 9 characters long';
  if (text[2] !== ':' || text[5] !== ':') return 'missing colon in correct place';
  const clock = text.slice(0, 8).split(':').map(Number);
  if (!/^\d\d:\d\d:\d\d$/.test(text.slice(0, 8))) return 'invalid hour/min/sec';
  const [hour, minute, second] = clock as [number, number, number];
  if (hour > 23 || minute > 59 || second > 60) return 'hour/min/sec out of range';
  const rest = text.slice(8);
  if (/^\.(?![0-9])/.test(rest)) return 'no digits in second fraction';
  const zone = zoneOf(rest.replace(/^\.[0-9]+/, ''));
  if (typeof zone === 'string') return zone;
  const utcMinute = (hour * 60 + minute - zone + 24 * 60) % (24 * 60);
  return second >= 60 && utcMinute !== 24 * 60 - 1 ? 'invalid leap second' : undefined;
}

/** The offset in minutes, or what is wrong with it. */
function zoneOf(text: string): number | string {
  if (text === 'z' || text === 'Z') return 0;
  if (byteLength(text) !== 6) return 'offset must be 6 characters long';
  if (!/^[+-]/.test(text)) return 'offset must begin with plus/minus';
  if (text[3] !== ':') return 'missing colon in offset in correct place';
  const match = /^.([0-9]{2}):([0-9]{2})$/.exec(text);
  if (match === null) return 'invalid hour/min in offset';
  const [hours, minutes] = match.slice(1).map(Number) as [number, number];
  if (hours > 23 || minutes > 59) return 'hour/min in offset out of range';
  return (text.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}

function dateTimeProblem(text: string): string | undefined {
  if (byteLength(text) < 20) return 'less than 20 characters long';
  if (!/^.{10}[tT]/s.test(text)) return '11th character must be t or T';
  return (
    prefixed('invalid date element', dateProblem(text.slice(0, 10))) ??
    prefixed('invalid time element', timeProblem(text.slice(11)))
  );
}

const urlProblem = (text: string): string | undefined => caught(() => parseUrl(text));

function uriProblem(text: string): string | undefined {
  return urlProblem(text) ?? (parseUrl(text).scheme === '' ? 'relative url' : undefined);
}

function uriReferenceProblem(text: string): string | undefined {
  return text.includes('\\') ? 'contains \\' : urlProblem(text);
}

function uriTemplateProblem(text: string): string | undefined {
  const problem = urlProblem(text);
  if (problem !== undefined) return problem;
  for (const element of text.replace(/[?#].*$/s, '').split('/')) {
    const braces = element.replace(/[^{}]/g, '');
    if (/^(?:\{\})*(?:\}|\{\{)/.test(braces)) return 'nested curly braces';
    if (braces.length % 2 === 1) return 'no matching closing brace';
  }
  return undefined;
}

function periodProblem(text: string): string | undefined {
  const slash = text.indexOf('/');
  if (slash < 0) return 'missing slash';
  const start = text.slice(0, slash);
  const end = text.slice(slash + 1);
  if (start.startsWith('P'))
    return (
      prefixed('invalid start duration', durationProblem(start)) ??
      prefixed('invalid end date-time', dateTimeProblem(end))
    );
  return (
    prefixed('invalid start date-time', dateTimeProblem(start)) ??
    (end.startsWith('P')
      ? prefixed('invalid end duration', durationProblem(end))
      : prefixed('invalid end date-time', dateTimeProblem(end)))
  );
}

function semverProblem(text: string): string | undefined {
  const [, core = '', prerelease, build] = /^([^+-]*)(?:-([^+]*))?(?:\+(.*))?$/s.exec(text) ?? [];
  return buildProblem(build) ?? prereleaseProblem(prerelease) ?? versionCoreProblem(core);
}

function buildProblem(build: string | undefined): string | undefined {
  if (build === '') return 'build is empty';
  for (const identifier of build?.split('.') ?? []) {
    if (identifier === '') return 'build identifier is empty';
    const rune = firstInvalidCharacter(identifier, /[0-9a-zA-Z-]/);
    if (rune !== undefined) return `invalid character ${rune} in build identifier`;
  }
  return undefined;
}

function prereleaseProblem(prerelease: string | undefined): string | undefined {
  for (const identifier of prerelease?.split('.') ?? []) {
    if (identifier === '') return 'pre-release identifier is empty';
    const rune = firstInvalidCharacter(identifier, /[0-9a-zA-Z-]/);
    if (rune !== undefined) return `invalid character ${rune} in pre-release identifier`;
    if (/^0[0-9]+$/.test(identifier)) return 'pre-release numeric identifier starts with zero';
  }
  return undefined;
}

function versionCoreProblem(core: string): string | undefined {
  const numbers = core.split('.');
  if (numbers.length !== 3) return 'versionCore must have 3 numbers separated by dot';
  for (const [index, number] of numbers.entries()) {
    const name = ['major', 'minor', 'patch'][index];
    if (number === '') return `${name} is empty`;
    if (/^0./s.test(number)) return `${name} starts with zero`;
    if (!/^[0-9]+$/.test(number)) return `${name} contains non-digit`;
  }
  return undefined;
}
