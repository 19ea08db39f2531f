import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { serve, type TestServer } from '../http/server.ts';

export const sha256 = (bytes: Uint8Array | string): string =>
  `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

export type Answer = (request: IncomingMessage, response: ServerResponse) => boolean;

/** What is unusual about a registry: a first look at each request, which it may answer. */
export interface FakeOptions {
  readonly first?: Answer;
  /** Tags on a page of the list. */
  readonly pageSize?: number;
}

export interface FakeRegistry extends TestServer {
  /** `127.0.0.1:5000`. */
  readonly host: string;
  /** By digest, and manifests by `REPOSITORY:TAG` too. */
  readonly content: Map<string, Buffer>;
  put(bytes: Buffer | string): { digest: string; size: number };
  /** Lays down a chart as Helm does, and gives its manifest's digest. */
  putChart(name: string, tag: string, archive: Buffer, options?: ChartOptions): string;
}

export interface ChartOptions {
  readonly layerType?: string;
  readonly provenance?: string;
}

const chartType = 'application/vnd.cncf.helm.chart.content.v1.tar+gzip';

/** Enough of the OCI distribution API for charts, on loopback, ending with the test. */
export async function fakeRegistry({ first, pageSize }: FakeOptions = {}): Promise<FakeRegistry> {
  const content = new Map<string, Buffer>();
  const server = await serve((request, response) => {
    if (first?.(request, response)) return;
    answer(request, response, { content, pageSize });
  });
  const put = (bytes: Buffer | string) => {
    const buffer = Buffer.from(bytes);
    content.set(sha256(buffer), buffer);
    return { digest: sha256(buffer), size: buffer.length };
  };
  return {
    ...server,
    host: new URL(server.url).host,
    content,
    put,
    putChart(name, tag, archive, { layerType = chartType, provenance } = {}) {
      const config = { mediaType: 'application/vnd.cncf.helm.config.v1+json', ...put('{}') };
      const layers = [{ mediaType: layerType, ...put(archive) }];
      if (provenance !== undefined)
        layers.push({ mediaType: 'application/vnd.cncf.helm.chart.provenance.v1.prov', ...put(provenance) });
      const manifest = Buffer.from(JSON.stringify({ schemaVersion: 2, config, layers }));
      content.set(`${name}:${tag}`, manifest);
      return put(manifest).digest;
    },
  };
}

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { content, pageSize }: { readonly content: Map<string, Buffer>; readonly pageSize: number | undefined },
): void {
  const url = new URL(request.url ?? '', 'http://fake');
  const [, name = '', kind = '', reference = ''] =
    /^\/v2\/(.+)\/(manifests|blobs|tags)\/(.+)$/.exec(url.pathname) ?? [];
  if (kind === 'tags') return tagsPage(response, { name, url, content, pageSize });
  if (kind === '') return void response.writeHead(200).end('{}');
  const bytes = content.get(reference.includes(':') ? reference : `${name}:${reference}`);
  if (bytes === undefined) return void response.writeHead(404).end('{"errors":[{"code":"MANIFEST_UNKNOWN"}]}');
  response.writeHead(200, {
    'content-length': bytes.length,
    'content-type': kind === 'manifests' ? 'application/vnd.oci.image.manifest.v1+json' : 'application/octet-stream',
    'docker-content-digest': sha256(bytes),
  });
  response.end(request.method === 'HEAD' ? undefined : bytes);
}

function tagsPage(
  response: ServerResponse,
  {
    name,
    url,
    content,
    pageSize = 1000,
  }: { name: string; url: URL; content: Map<string, Buffer>; pageSize?: number | undefined },
): void {
  const prefix = `${name}:`;
  const tags = [...content.keys()].filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length));
  const start = Number(url.searchParams.get('last') ?? 0);
  const end = start + pageSize;
  const link = end < tags.length ? { link: `</v2/${name}/tags/list?last=${end}>; rel="next"` } : {};
  response.writeHead(200, { 'content-type': 'application/json', ...link });
  response.end(JSON.stringify({ name, tags: tags.slice(start, end) }));
}
