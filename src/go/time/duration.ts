import { GoError } from '../value.ts';
import { quoteTimeText as quote } from './quote.ts';

const unitNanoseconds: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};

const largestInt64 = (1n << 63n) - 1n;

/**
 * Go's time.ParseDuration: `1h30m`, `1.5s`, `-2m`; the result is in nanoseconds.
 * Fails with Go's words: `time: missing unit in duration "5"`.
 */
export function parseDuration(text: string): bigint {
  const invalid = () => new GoError(`time: invalid duration ${quote(text)}`);
  const negative = text.startsWith('-');
  let rest = /^[+-]/.test(text) ? text.slice(1) : text;
  if (rest === '0') return 0n;
  if (rest === '') throw invalid();
  let total = 0n;
  while (rest !== '') {
    const [number, whole = '', fraction = ''] = /^(\d*)(?:\.(\d*))?/.exec(rest) ?? [''];
    if (whole === '' && fraction === '') throw invalid();
    rest = rest.slice(number.length);
    const unit = /^[^\d.]+/.exec(rest)?.[0];
    if (unit === undefined) throw new GoError(`time: missing unit in duration ${quote(text)}`);
    const scale = unitNanoseconds[unit];
    if (scale === undefined) {
      throw new GoError(`time: unknown unit ${quote(unit)} in duration ${quote(text)}`);
    }
    rest = rest.slice(unit.length);
    total += BigInt(whole || '0') * scale;
    if (fraction !== '') total += fractionOf(fraction, scale);
    if (total > (negative ? largestInt64 + 1n : largestInt64)) throw invalid();
  }
  return negative ? -total : total;
}

/** The digits after the point, in nanoseconds. Go keeps those that fit into 63 bits and multiplies as float64. */
function fractionOf(digits: string, unit: bigint): bigint {
  let kept = digits.slice(0, 19);
  if (BigInt(kept) > largestInt64) kept = digits.slice(0, 18);
  return BigInt(Math.trunc(Number(kept) * (Number(unit) / 10 ** kept.length)));
}

/** Go's Duration.String(): `5m0s`, `1.5s`, `300ms`, `0s`. */
export function formatDuration(nanoseconds: bigint): string {
  if (nanoseconds === 0n) return '0s';
  const sign = nanoseconds < 0n ? '-' : '';
  const magnitude = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  if (magnitude < 1_000n) return `${sign}${magnitude}ns`;
  if (magnitude < 1_000_000n) return `${sign}${decimal(magnitude, 3)}µs`;
  if (magnitude < 1_000_000_000n) return `${sign}${decimal(magnitude, 6)}ms`;
  const seconds = magnitude / 1_000_000_000n;
  const hours = seconds / 3600n;
  const minutes = (seconds / 60n) % 60n;
  const clock = `${hours > 0n ? `${hours}h` : ''}${hours > 0n || minutes > 0n ? `${minutes}m` : ''}`;
  return `${sign}${clock}${decimal(magnitude % 60_000_000_000n, 9)}s`;
}

/** `value` shifted `digits` decimal places to the right, without trailing zeros. */
function decimal(value: bigint, digits: number): string {
  const text = value.toString().padStart(digits + 1, '0');
  const fraction = text.slice(-digits).replace(/0+$/, '');
  return `${text.slice(0, -digits)}${fraction === '' ? '' : `.${fraction}`}`;
}
