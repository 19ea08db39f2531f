/** Whether a text is an IPv4 address: four decimal numbers up to 255, without leading zeros. Go: netip.ParseAddr. */
export const isIPv4 = (text: string): boolean =>
  /^(?:\d{1,3}\.){3}\d{1,3}$/.test(text) &&
  text.split('.').every((part) => Number(part) <= 255 && String(Number(part)) === part);

/** Whether a text is an IPv6 address, with a zone or without, its last 32 bits as IPv4 or not. */
export function isIPv6(text: string): boolean {
  const [, address = '', zone] = /^([^%]*)(?:%(.*))?$/s.exec(text) ?? [];
  if (zone === '') return false;
  const halves = address.split('::');
  const counts = halves.map((half, index) => groupsIn(half, index === halves.length - 1));
  if (counts.includes(undefined) || halves.length > 2) return false;
  const groups = (counts as number[]).reduce((sum, count) => sum + count, 0);
  return halves.length === 2 ? groups < 8 : groups === 8;
}

/** How many groups of 16 bits; undefined where something else is among them. */
function groupsIn(text: string, mayEndAsIPv4: boolean): number | undefined {
  if (text === '') return 0;
  const parts = text.split(':');
  const endsAsIPv4 = mayEndAsIPv4 && isIPv4(parts.at(-1) as string);
  const hexadecimal = endsAsIPv4 ? parts.slice(0, -1) : parts;
  if (!hexadecimal.every((part) => /^[0-9a-fA-F]{1,4}$/.test(part))) return undefined;
  return hexadecimal.length + (endsAsIPv4 ? 2 : 0);
}
