import { GoError } from '../support/value.ts';

const schemaTimeoutMs = 15_000;

/** A values file of the web. Fails as Helm's getter does: `failed to fetch URL : 404 Not Found`. */
export async function downloadValues(url: string): Promise<Uint8Array> {
  const response = await fetch(url).catch((cause: unknown) => {
    throw new GoError(`failed to fetch ${url} : ${reasonOf(cause)}`, { cause });
  });
  if (!response.ok) throw new GoError(`failed to fetch ${url} : ${response.status} ${response.statusText}`);
  return new Uint8Array(await response.arrayBuffer());
}

/** A schema that another one refers to. Fails as Helm's HTTPURLLoader does. */
export async function downloadSchema(url: string): Promise<Uint8Array> {
  const response = await fetch(url, { signal: AbortSignal.timeout(schemaTimeoutMs) }).catch((cause: unknown) => {
    throw new GoError(`HTTP request failed for ${url}: ${reasonOf(cause)}`, { cause });
  });
  if (response.status !== 200) {
    throw new GoError(`HTTP request to ${url} returned status ${response.status} (${response.statusText})`);
  }
  return new Uint8Array(await response.arrayBuffer());
}

/** `fetch` hides why it failed behind "fetch failed". */
function reasonOf(thrown: unknown): string {
  const cause = thrown instanceof Error && thrown.cause instanceof Error ? thrown.cause : thrown;
  return cause instanceof Error ? cause.message : String(cause);
}
