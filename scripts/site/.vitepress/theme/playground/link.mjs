// A chart as the fragment of a link: JSON, compressed, in base64 for URLs. The fragment never leaves the browser.

/** What a link may unpack to. */
const mostBytes = 8 * 1024 * 1024;

const texts = ['values', 'release', 'namespace', 'set', 'kubeVersion', 'apiVersions'];

export async function toFragment({ files, ...rest }) {
  const json = JSON.stringify({ ...rest, files: [...files].map(([name, data]) => [name, asJson(data)]) });
  const packed = new Blob([json]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  return encode(await bytesOf(packed, Number.POSITIVE_INFINITY));
}

/** Fails for what is no chart. */
export async function fromFragment(fragment) {
  const unpacked = new Blob([decode(fragment)]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  const given = JSON.parse(new TextDecoder().decode(await bytesOf(unpacked, mostBytes)));
  const files = new Map(given.files.map(([name, data]) => [String(name), fromJson(data)]));
  return { ...Object.fromEntries(texts.map((key) => [key, String(given[key] ?? '')])), files };
}

const asJson = (data) => (typeof data === 'string' ? data : { base64: encode(data) });
const fromJson = (data) => (typeof data === 'string' ? data : decode(data.base64));

const encode = (bytes) =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

const decode = (text) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));

async function bytesOf(stream, most) {
  const pieces = [];
  let length = 0;
  for (const reader = stream.getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > most) throw new Error('the chart in the link is too large');
    pieces.push(value);
  }
  return new Uint8Array(await new Blob(pieces).arrayBuffer());
}
