import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import root from '@opentelemetry/otlp-transformer/build/src/generated/root.js';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { otelSettings } from '../../../src/cli/progress/otel/settings.ts';
import { openTestSandbox } from '../harness.ts';

const folder = mkdtempSync(join(tmpdir(), 'tshelm-otel-'));
afterAll(() => rmSync(folder, { recursive: true }));

const chart = join(folder, 'shop');
mkdirSync(join(chart, 'templates'), { recursive: true });
writeFileSync(join(chart, 'Chart.yaml'), 'apiVersion: v2\nname: shop\nversion: 1.0.0\n');
writeFileSync(
  join(chart, 'templates/web.yaml'),
  `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  selector: {matchLabels: {app: web}}
  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: main, image: nginx}]}}
`,
);
writeFileSync(
  join(chart, 'templates/migrate.yaml'),
  `apiVersion: batch/v1
kind: Job
metadata: {name: migrate, annotations: {helm.sh/hook: pre-install}}
spec: {template: {spec: {restartPolicy: Never, containers: [{name: main, image: busybox}]}}}
`,
);

interface Sent {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Record<string, unknown>;
}

/** A collector that answers with `status`, and what it got. */
async function collector(status = 200, answer = '{}') {
  const sent: Sent[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const data = Buffer.concat(parts);
      const text = request.headers['content-encoding'] === 'gzip' ? gunzipSync(data) : data;
      sent.push({
        path: request.url ?? '',
        headers: request.headers,
        body: JSON.parse(text.toString()) as Sent['body'],
      });
      response.writeHead(status, { 'content-type': 'application/json' }).end(answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { sent, url: `http://127.0.0.1:${port}` };
}

interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue?: string; readonly intValue?: string };
}
interface SpanOnWire {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly status: { readonly code: number; readonly message?: string };
  readonly attributes: readonly Attribute[];
  readonly events: readonly { readonly name: string; readonly attributes: readonly Attribute[] }[];
}

const spansIn = (sent: readonly Sent[]): readonly SpanOnWire[] =>
  sent
    .filter(({ path }) => path.endsWith('/v1/traces'))
    .flatMap(({ body }) => body['resourceSpans'] as { scopeSpans: { spans: SpanOnWire[] }[] }[])
    .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));

/** Each span's name below those that it is part of. */
function paths(spans: readonly SpanOnWire[]): readonly string[] {
  const byId = new Map(spans.map((span) => [span.spanId, span]));
  const path = (span: SpanOnWire): string => {
    const parent = byId.get(span.parentSpanId ?? '');
    return parent === undefined ? span.name : `${path(parent)} / ${span.name}`;
  };
  return spans.map(path);
}

const textOf = (attributes: readonly Attribute[] = [], key: string): string | undefined =>
  attributes.find((one) => one.key === key)?.value.stringValue;

/** OTLP's JSON has ids in hexadecimal, where protobuf's has base64. */
const protobufForm = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (key, one: unknown) =>
      /^(?:traceId|spanId|parentSpanId)$/.test(key) ? Buffer.from(String(one), 'hex').toString('base64') : one,
    ),
  );

const definitions = root as unknown as {
  readonly opentelemetry: {
    readonly proto: {
      readonly collector: Record<'trace' | 'metrics', { readonly v1: Readonly<Record<string, MessageType>> }>;
    };
  };
};

/** A message of OpenTelemetry's own definition, read from what was sent and written again: what it does not know is gone. */
function asDefined(kind: 'trace' | 'metrics', body: unknown): unknown {
  const { v1 } = definitions.opentelemetry.proto.collector[kind];
  const type = v1[kind === 'trace' ? 'ExportTraceServiceRequest' : 'ExportMetricsServiceRequest'] as MessageType;
  const given = protobufForm(body) as object;
  const message = type.fromObject(given);
  expect(type.verify(message)).toBeNull();
  return type.toObject(type.decode(type.encode(message).finish()), { longs: String, bytes: String });
}

interface MessageType {
  fromObject(given: object): object;
  verify(message: object): string | null;
  encode(message: object): { finish(): Uint8Array };
  decode(bytes: Uint8Array): object;
  toObject(message: object, options: object): object;
}

/** protobuf leaves out lists of nothing. */
const withoutEmptyLists = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_key, one: unknown) => (Array.isArray(one) && one.length === 0 ? undefined : one)));

async function run(words: readonly string[], env: Readonly<Record<string, string>>) {
  const sandbox = openTestSandbox();
  onTestFinished(() => sandbox.remove());
  return sandbox.runWith({ env }, ...words);
}

describe('--otel', () => {
  test('sends the run, its steps, objects, and waits, as OpenTelemetry defines them', async () => {
    const { url, sent } = await collector();
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: url,
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20abc,x-team=a',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=stage,service.name=deploys',
      TRACEPARENT: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    };
    const { code, stderr } = await run(['install', 'demo', chart, '--wait', '--otel'], env);
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('warning')]);
    expect(sent.map(({ path }) => path)).toEqual(['/v1/traces', '/v1/metrics']);
    expect(sent[0]?.headers).toMatchObject({ authorization: 'Bearer abc', 'x-team': 'a' });
    for (const { path, body } of sent) {
      const kind = path.endsWith('traces') ? 'trace' : 'metrics';
      expect(asDefined(kind, body)).toEqual(withoutEmptyLists(protobufForm(body)));
    }
    const spans = spansIn(sent);
    expect(paths(spans)).toEqual(
      expect.arrayContaining([
        'install demo',
        'install demo / pre-install hooks / pre-install hook Job/migrate',
        'install demo / apply 1 resource / Deployment/web',
        'install demo / apply 1 resource / Deployment/web / wait for Deployment/web',
      ]),
    );
    expect(spans[0]).toMatchObject({
      traceId: '0af7651916cd43dd8448eb211c80319c',
      parentSpanId: 'b7ad6b7169203331',
      status: { code: 1 },
    });
    for (const span of spans) {
      expect(BigInt(span.endTimeUnixNano) >= BigInt(span.startTimeUnixNano), span.name).toBe(true);
      expect(span.traceId).toBe('0af7651916cd43dd8448eb211c80319c');
    }
    const [sender] = sent.flatMap(({ body }) => body['resourceSpans'] as { resource: { attributes: Attribute[] } }[]);
    expect(textOf(sender?.resource.attributes, 'service.name')).toBe('deploys');
    expect(textOf(sender?.resource.attributes, 'deployment.environment.name')).toBe('stage');
    const metrics = JSON.stringify(sent[1]?.body);
    for (const name of ['tshelm.run.duration', 'tshelm.object.wait.duration']) expect(metrics).toContain(name);
  });

  test('a failure has its cause as an event of the object', async () => {
    const { url, sent } = await collector();
    const words = ['install', 'demo', chart, '--wait', '--otel', '--fail', 'web=crash-loop', '--grace', '1s'];
    expect((await run(words, { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip' })).code).toBe(
      1,
    );
    const spans = spansIn(sent);
    const [whole] = spans;
    expect(whole).toMatchObject({ name: 'install demo', status: { code: 2 } });
    expect(textOf(whole?.events[0]?.attributes, 'exception.type')).toBe('wait-failed');
    const wait = spans.find(({ name }) => name === 'wait for Deployment/web');
    expect(wait).toMatchObject({ status: { code: 2 }, events: [{ name: 'cause' }] });
    expect(textOf(wait?.events[0]?.attributes, 'tshelm.problem')).toBe('program-ended');
    expect(textOf(wait?.events[0]?.attributes, 'tshelm.cause')).toContain('CrashLoopBackOff');
  });

  test('a stack is one trace with its releases', async () => {
    const { url, sent } = await collector();
    const file = join(folder, 'helmfile.yaml');
    writeFileSync(
      file,
      `releases:\n  - {name: one, namespace: a, chart: ${chart}}\n  - {name: two, namespace: a, chart: ${chart}, needs: [a/one], values: [{x: 1}]}\n`,
    );
    await run(['stack', 'sync', '-f', file, '--otel', '--progress', 'plain'], { OTEL_EXPORTER_OTLP_ENDPOINT: url });
    const spans = spansIn(sent);
    expect(paths(spans)).toEqual(
      expect.arrayContaining(['stack sync', 'stack sync / upgrade one / apply 1 resource / Deployment/web']),
    );
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
  });

  test.each([
    [503, '{}', '503'],
    [200, '{"partialSuccess":{"rejectedSpans":"3","errorMessage":"too old"}}', '3 were not taken: too old'],
  ])('a collector that answers %i %s is told, and fails nothing', async (status, answer, told) => {
    const { url } = await collector(status, answer);
    const { code, stderr } = await run(['install', 'demo', chart, '--otel'], { OTEL_EXPORTER_OTLP_ENDPOINT: url });
    expect(code).toBe(0);
    expect(stderr).toContain(`warning: --otel: ${url}/v1/traces: `);
    expect(stderr).toContain(told);
  });

  test('without a collector it is said once for each kind', async () => {
    const { code, stderr } = await run(['install', 'demo', chart, '--otel'], {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
    });
    expect(code).toBe(0);
    expect(stderr.match(/warning: --otel/g)).toHaveLength(2);
  });

  test.each([
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4317' }, '$OTEL_EXPORTER_OTLP_ENDPOINT has to be a URL'],
    [{ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, 'OTLP over HTTP'],
  ])('%j is refused before anything is done', async (env, message) => {
    const { code, stderr } = await run(['install', 'demo', chart, '--otel'], env);
    expect(code).toBe(1);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('created');
  });

  test('without the flag nothing is sent', async () => {
    const { url, sent } = await collector();
    await run(['install', 'demo', chart], { OTEL_EXPORTER_OTLP_ENDPOINT: url });
    expect(sent).toEqual([]);
  });
});

describe('the variables of OpenTelemetry', () => {
  const tracesUrl = (env: Readonly<Record<string, string>>): string | undefined => otelSettings(env).traces?.url;

  test.each([
    [{}, 'http://localhost:4318/v1/traces'],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'https://otel.example.com/base/' }, 'https://otel.example.com/base/v1/traces'],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://x:1/own' }, 'http://x:1/own'],
    [{ OTEL_SDK_DISABLED: 'true' }, undefined],
    [{ OTEL_TRACES_EXPORTER: 'none' }, undefined],
    [{ TRACEPARENT: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-00` }, undefined],
  ])('%j sends traces to %s', (env, url) => {
    expect(tracesUrl(env)).toBe(url);
  });

  test.each([
    '',
    'nonsense',
    `00-${'0'.repeat(32)}-${'b'.repeat(16)}-01`,
    `ff-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
    `00-${'A'.repeat(32)}-${'b'.repeat(16)}-01`,
  ])('TRACEPARENT %j begins a trace of its own', (text) => {
    expect(otelSettings({ TRACEPARENT: text }).parent).toBeUndefined();
  });

  test('headers that are no pairs are left out, and a lone percent sign means itself', () => {
    const { traces } = otelSettings({ OTEL_EXPORTER_OTLP_HEADERS: 'a=1,,b,=c, D = 50% ' });
    expect(traces?.headers).toEqual({ a: '1', d: '50%' });
  });
});
