import { GoError } from '../../go/value.ts';
import { messageOf } from '../../support/errors.ts';
import type { DownloadContext, SourceFlags } from './named-chart.ts';
import { openHttp, openSources } from './sources.ts';

const schemaTimeoutMs = 15_000;

/** A values file of the web or of a registry. Go: pkg/cli/values.readFile, which takes what its getters give. */
export async function downloadValues(url: string, flags: SourceFlags, context: DownloadContext): Promise<Uint8Array> {
  if (!/^oci:/i.test(url)) {
    const { get } = await import('../../source/http/get.ts');
    return get(await openHttp(flags, context), url);
  }
  const { findChart, fetchLayer } = await import('../../source/oci/pull.ts');
  const { parseOciReference } = await import('../../source/oci/reference.ts');
  const { registry } = await openSources(flags, {}, context, () => undefined);
  const repository = registry.repository(parseOciReference(url));
  return fetchLayer(repository, (await findChart(repository)).chart);
}

/** A schema that another one refers to. Fails as Helm's HTTPURLLoader does. */
export async function downloadSchema(url: string, flags: SourceFlags, context: DownloadContext): Promise<Uint8Array> {
  const http = await openHttp(flags, context);
  const request = { url, timeoutMs: schemaTimeoutMs, retries: 1 };
  const answer = await http.send(request).catch((cause: unknown) => {
    throw new GoError(`HTTP request failed for ${url}: ${messageOf(cause)}`, { cause });
  });
  if (answer.status === 200) return answer.body;
  const [code = '', ...words] = answer.statusLine.split(' ');
  throw new GoError(`HTTP request to ${url} returned status ${code} (${words.join(' ')})`);
}
