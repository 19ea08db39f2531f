/** Names and ids that look random and are the same in every run: they come from the revision and what they are for. */

/** FNV-1a, 32 bits. */
export function hash32(text: string, seed = 0x811c9dc5): number {
  let hash = seed >>> 0;
  for (let index = 0; index < text.length; index++) {
    hash ^= text.charCodeAt(index);
    hash = Math.imul(hash, 0x01000193) >>> 0;
  }
  return hash;
}

const hex8 = (number: number): string => (number >>> 0).toString(16).padStart(8, '0');

/** A version 4 UUID made from text. */
export function uidFrom(text: string): string {
  const digits = [1, 2, 3, 4].map((round) => hex8(mix(hash32(`${round}/${text}`)))).join('');
  const variant = '89ab'[Number.parseInt(digits[16] as string, 16) % 4] as string;
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-${variant}${digits.slice(17, 20)}-${digits.slice(20, 32)}`;
}

function mix(hash: number): number {
  let value = hash;
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}

const alphabet = 'bcdfghjklmnpqrstvwxz2456789';

/** Letters and digits that form no words (apimachinery's rand.String). */
export function suffixFrom(text: string, length = 5): string {
  let hash = mix(hash32(text));
  let suffix = '';
  for (let index = 0; index < length; index++) {
    suffix += alphabet[hash % alphabet.length];
    hash = mix(hash + index + 1);
  }
  return suffix;
}
