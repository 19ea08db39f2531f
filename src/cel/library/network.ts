import { isIP } from 'node:net';
import { quote } from '../../go/strconv/strconv.ts';
import { CelError } from '../error.ts';
import type { Library } from './library.ts';

/** netip.Addr */
class Ip {
  readonly bits: 32 | 128;
  readonly number: bigint;

  constructor(bits: 32 | 128, number: bigint) {
    this.bits = bits;
    this.number = number;
  }

  /** Whether it is in the network of an address. */
  isIn(network: Ip, length: number): boolean {
    return this.bits === network.bits && this.top(length) === network.top(length);
  }

  /** Its first bits. */
  top(length: number): bigint {
    return this.number >> BigInt(this.bits - length);
  }
}

/** netip.Prefix */
class Cidr {
  readonly ip: Ip;
  readonly length: number;

  constructor(ip: Ip, length: number) {
    this.ip = ip;
    this.length = length;
  }
}

function readIp(text: string): Ip | undefined {
  switch (isIP(text)) {
    case 4:
      return new Ip(32, numberOf(text.split('.').map(Number), 8n));
    case 6:
      return new Ip(128, numberOf(groupsOf(text), 16n));
    default:
      return undefined;
  }
}

const numberOf = (parts: readonly number[], bits: bigint): bigint =>
  parts.reduce((number, part) => (number << bits) | BigInt(part), 0n);

/** The eight groups of an address; the last two may be written as an IPv4 address. */
function groupsOf(text: string): number[] {
  const [head = '', tail] = text.split('::').map(partsOf);
  const parts = [...head, ...(tail ?? [])] as number[];
  return tail === undefined ? parts : [...(head as number[]), ...Array(8 - parts.length).fill(0), ...tail];
}

function partsOf(text: string): number[] {
  if (text === '') return [];
  return text.split(':').flatMap((part) => {
    if (!part.includes('.')) return [Number.parseInt(part, 16)];
    const [a = 0, b = 0, c = 0, d = 0] = part.split('.').map(Number);
    return [a * 256 + b, c * 256 + d];
  });
}

/** ip.go, parseIPAddr */
function ipOf(text: string): Ip {
  const ip = readIp(text);
  if (ip === undefined)
    throw new CelError(
      `IP Address ${quote(text)} parse error during conversion from string: ParseAddr(${quote(text)}): ${addressProblem(text)}`,
    );
  if (text.includes('%')) throw new CelError(`IP address ${quote(text)} with zone value is not allowed`);
  if (isMapped(ip)) throw new CelError(`IPv4-mapped IPv6 address ${quote(text)} is not allowed`);
  return ip;
}

/** netip.ParseAddr, for the usual mistakes. */
function addressProblem(text: string): string {
  const fields = text.split('.');
  if (text.includes(':') || fields.length < 2) return 'unable to parse IP';
  if (!/^[0-9.]*$/.test(text)) return `unexpected character (at ${quote(text.replace(/^[0-9.]*/, ''))})`;
  if (fields.some((field) => Number(field) > 255)) return 'IPv4 field has value >255';
  return fields.length < 4 ? 'IPv4 address too short' : 'IPv4 address too long';
}

const isMapped = ({ bits, number }: Ip): boolean => bits === 128 && number >> 32n === 0xffffn;

function readCidr(text: string): Cidr | undefined {
  const [address = '', length = '', ...more] = text.split('/');
  const ip = address.includes('%') ? undefined : readIp(address);
  if (ip === undefined || isMapped(ip) || more.length > 0 || !/^(?:0|[1-9]\d{0,2})$/.test(length)) return undefined;
  return Number(length) <= ip.bits ? new Cidr(ip, Number(length)) : undefined;
}

function cidrOf(text: string): Cidr {
  const cidr = readCidr(text);
  if (cidr !== undefined) return cidr;
  const start = 'network address parse error during conversion from string: ';
  const why = text.includes('/') ? cidrProblem(text) : "no '/'";
  throw new CelError(`${start}${start}netip.ParsePrefix(${quote(text)}): ${why}`);
}

/** netip.ParsePrefix, for the usual mistakes. */
function cidrProblem(text: string): string {
  const slash = text.lastIndexOf('/');
  const [address, length] = [text.slice(0, slash), text.slice(slash + 1)];
  if (readIp(address) === undefined) return `ParseAddr(${quote(address)}): ${addressProblem(address)}`;
  return /^\d+$/.test(length) ? 'prefix length out of range' : `bad bits after slash: ${quote(length)}`;
}

/** The canonical form: RFC 5952 for IPv6. */
function ipText({ bits, number }: Ip): string {
  const part = (index: number, width: number): number =>
    Number(BigInt.asUintN(width, number >> BigInt(bits - (index + 1) * width)));
  if (bits === 32) return [0, 1, 2, 3].map((index) => part(index, 8)).join('.');
  const groups = [0, 1, 2, 3, 4, 5, 6, 7].map((index) => part(index, 16).toString(16));
  const longest = groups
    .join(':')
    .match(/\b0(?::0)+\b/g)
    ?.reduce((best, run) => (run.length > best.length ? run : best));
  if (longest === undefined) return groups.join(':');
  const [head, tail] = splitOnce(groups.join(':'), longest);
  return `${head.replace(/:$/, '')}::${tail.replace(/^:/, '')}`;
}

/** At the first place where the run is a run of whole groups. */
function splitOnce(text: string, run: string): [string, string] {
  const at = text.search(new RegExp(`\\b${run}\\b`));
  return [text.slice(0, at), text.slice(at + run.length)];
}

const cidrText = ({ ip, length }: Cidr): string => `${ipText(ip)}/${length}`;

const [loopback4, linkLocal4, multicast4, localMulticast4] = ['127.0.0.0', '169.254.0.0', '224.0.0.0', '224.0.0.0'].map(
  ipOf,
) as [Ip, Ip, Ip, Ip];
const [loopback6, linkLocal6, multicast6, localMulticast6] = ['::1', 'fe80::', 'ff00::', 'ff02::'].map(ipOf) as [
  Ip,
  Ip,
  Ip,
  Ip,
];

const isUnspecified = ({ number }: Ip): boolean => number === 0n;
const isLoopback = (ip: Ip): boolean => ip.isIn(loopback4, 8) || ip.isIn(loopback6, 128);
const isLinkLocalUnicast = (ip: Ip): boolean => ip.isIn(linkLocal4, 16) || ip.isIn(linkLocal6, 10);
const isMulticast = (ip: Ip): boolean => ip.isIn(multicast4, 4) || ip.isIn(multicast6, 8);
const isBroadcast = ({ bits, number }: Ip): boolean => bits === 32 && number === 0xffff_ffffn;

const masked = ({ ip, length }: Cidr): Cidr =>
  new Cidr(new Ip(ip.bits, ip.top(length) << BigInt(ip.bits - length)), length);

const containsIp = ({ ip, length }: Cidr, other: Ip): boolean => other.isIn(ip, length);
const containsCidr = ({ ip, length }: Cidr, other: Cidr): boolean =>
  length <= other.length && other.ip.isIn(ip, length);

/** `ip.isCanonical(…)` */
class IpFunctions {}

const [ip, cidr] = ['net.IP', 'net.CIDR'];

export const network: Library = {
  types: { [ip]: Ip, [cidr]: Cidr },
  namespaces: { ip: IpFunctions },
  functions: {
    [`ip(string): ${ip}`]: ipOf,
    'isIP(string): bool': (text: string) => {
      const address = readIp(text);
      return address !== undefined && !text.includes('%') && !isMapped(address);
    },
    'IpFunctions.isCanonical(string): bool': (_namespace: IpFunctions, text: string) => ipText(ipOf(text)) === text,
    [`string(${ip}): string`]: ipText,
    [`${ip}.family(): int`]: ({ bits }: Ip) => (bits === 32 ? 4n : 6n),
    [`${ip}.isUnspecified(): bool`]: isUnspecified,
    [`${ip}.isLoopback(): bool`]: isLoopback,
    [`${ip}.isLinkLocalMulticast(): bool`]: (address: Ip) =>
      address.isIn(localMulticast4, 24) || address.isIn(localMulticast6, 16),
    [`${ip}.isLinkLocalUnicast(): bool`]: isLinkLocalUnicast,
    [`${ip}.isGlobalUnicast(): bool`]: (address: Ip) =>
      ![isUnspecified, isLoopback, isMulticast, isLinkLocalUnicast, isBroadcast].some((is) => is(address)),
    [`cidr(string): ${cidr}`]: cidrOf,
    'isCIDR(string): bool': (text: string) => readCidr(text) !== undefined,
    [`string(${cidr}): string`]: cidrText,
    [`${cidr}.containsIP(string): bool`]: (network: Cidr, text: string) => containsIp(network, ipOf(text)),
    [`${cidr}.containsIP(${ip}): bool`]: containsIp,
    [`${cidr}.containsCIDR(string): bool`]: (network: Cidr, text: string) => containsCidr(network, cidrOf(text)),
    [`${cidr}.containsCIDR(${cidr}): bool`]: containsCidr,
    [`${cidr}.ip(): ${ip}`]: (network: Cidr) => network.ip,
    [`${cidr}.prefixLength(): int`]: ({ length }: Cidr) => BigInt(length),
    [`${cidr}.masked(): ${cidr}`]: masked,
  },
  operators: {
    [`${ip} == ${ip}`]: (a: Ip, b: Ip) => a.bits === b.bits && a.number === b.number,
    [`${cidr} == ${cidr}`]: (a: Cidr, b: Cidr) => cidrText(a) === cidrText(b),
  },
};
