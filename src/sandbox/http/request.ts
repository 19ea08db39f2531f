import type { IncomingMessage } from 'node:http';
import type { Json } from '../../support/json.ts';
import { badRequest, StatusError, unsupportedMediaType } from '../status.ts';

/** One HTTP request, read to its end. */
export interface ApiRequest {
  readonly method: string;
  readonly path: string;
  /** The decoded segments of the path. */
  readonly segments: readonly string[];
  readonly query: URLSearchParams;
  readonly accept: string;
  readonly contentType: string;
  readonly userAgent: string;
  readonly user: string | undefined;
  readonly body: Buffer;
  readonly raw: IncomingMessage;
}

const maxBodyBytes = 64 * 1024 * 1024;

export async function readRequest(raw: IncomingMessage): Promise<ApiRequest> {
  const target = raw.url ?? '/';
  const mark = target.indexOf('?');
  const path = mark < 0 ? target : target.slice(0, mark);
  return {
    method: raw.method ?? 'GET',
    path,
    segments: path
      .split('/')
      .filter((segment) => segment !== '')
      .map(decodeSegment),
    query: new URLSearchParams(mark < 0 ? '' : target.slice(mark + 1)),
    accept: raw.headers.accept ?? '*/*',
    contentType: (raw.headers['content-type'] ?? '').split(';')[0]?.trim() ?? '',
    userAgent: raw.headers['user-agent'] ?? '',
    user: textHeader(raw.headers['impersonate-user']),
    body: await readBody(raw),
    raw,
  };
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw badRequest(`invalid URL escape in ${JSON.stringify(segment)}`);
  }
}

const textHeader = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value[0] : value;

async function readBody(raw: IncomingMessage): Promise<Buffer> {
  if (raw.method === 'GET' || raw.method === 'HEAD') return Buffer.alloc(0);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of raw as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBodyBytes) {
      throw new StatusError(413, 'RequestEntityTooLarge', `Request entity too large: limit is ${maxBodyBytes}`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const protobufType = 'application/vnd.kubernetes.protobuf';
const readableTypes = ['application/json', 'application/yaml', protobufType];

/** The body as JSON; it may come as JSON, YAML or Kubernetes' protobuf, but not as CBOR. */
export async function parseBody(request: ApiRequest, subject: string): Promise<Json> {
  const { contentType, body } = request;
  if (contentType === protobufType) return await parseProtobuf(body, subject);
  const isYaml = contentType.endsWith('yaml');
  if (!isYaml && !jsonTypes.test(contentType)) throw unsupportedMediaType(readableTypes);
  const text = body.toString('utf8');
  return isYaml && !looksLikeJson(text) ? await parseYaml(text) : parseJson(text, subject);
}

const jsonTypes = /^$|json$|^\*\/\*$|^application\/x-www-form-urlencoded$/;

async function parseProtobuf(body: Buffer, subject: string): Promise<Json> {
  const { decodeProtobuf } = await import('../protobuf/decode.ts');
  let decoded: Json | undefined;
  try {
    decoded = decodeProtobuf(body);
  } catch (error) {
    if (!(error instanceof RangeError) && !(error instanceof SyntaxError)) throw error;
    throw badRequest(`the object provided is unrecognized (must be of type ${subject}): ${error.message}`);
  }
  if (decoded === undefined) throw unsupportedMediaType(readableTypes);
  return decoded;
}

const looksLikeJson = (body: string): boolean => /^\s*[{[]/.test(body);

function parseJson(body: string, subject: string): Json {
  try {
    return JSON.parse(body) as Json;
  } catch (error) {
    const why = body.trim() === '' ? 'unexpected end of JSON input' : (error as Error).message;
    throw badRequest(
      `the object provided is unrecognized (must be of type ${subject}): couldn't get version/kind; json parse error: ${why} (${body.slice(0, 60)})`,
    );
  }
}

async function parseYaml(body: string): Promise<Json> {
  const { readPlainYaml } = await import('../../yaml/index.ts');
  try {
    const value = readPlainYaml(body);
    return JSON.parse(
      JSON.stringify(value, (_key, item: unknown) => (typeof item === 'bigint' ? Number(item) : item)),
    ) as Json;
  } catch (error) {
    throw badRequest(`error decoding YAML: ${(error as Error).message}`);
  }
}

/** A query parameter that is a Go boolean. */
export const flag = (query: URLSearchParams, name: string): boolean => {
  const value = query.get(name);
  return value === 'true' || value === '1' || value === '';
};
