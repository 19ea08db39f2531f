import { gzipSync } from 'node:zlib';
import { HttpClient } from '../../../source/http/client.ts';
import { shownUrl } from '../../../source/http/shown-url.ts';
import { messageOf } from '../../../support/errors.ts';
import { isObject } from '../../../support/json.ts';
import { tshelmVersion } from '../../../support/version.ts';
import type { Telemetry } from './display.ts';
import { metricsBody, tracesBody } from './otlp.ts';
import type { Endpoint, OtelSettings } from './settings.ts';

/** Collectors refuse bodies that are too large. */
const spansOfOneRequest = 2_000;

/**
 * Sends traces and metrics as OTLP in JSON over HTTP. A deploy does not fail because nobody took them: `warn` is called.
 */
export async function deliverTelemetry(
  { spans, metrics }: Telemetry,
  { traces, metrics: measures, resource }: OtelSettings,
  { env, warn }: { readonly env: NodeJS.ProcessEnv; readonly warn: (text: string) => void },
): Promise<void> {
  const client = new HttpClient({ env });
  const send = async (endpoint: Endpoint, body: unknown): Promise<void> => {
    const refused = await whyRefused(client, endpoint, body);
    if (refused !== undefined) warn(`warning: --otel: ${shownUrl(endpoint.url)}: ${refused}\n`);
  };
  try {
    for (let at = 0; traces !== undefined && at < spans.length; at += spansOfOneRequest)
      await send(traces, tracesBody(resource, spans.slice(at, at + spansOfOneRequest)));
    if (measures !== undefined && metrics.length > 0) await send(measures, metricsBody(resource, metrics));
  } finally {
    client.close();
  }
}

/** Why a collector did not take all of it; undefined where it did. */
async function whyRefused(
  client: HttpClient,
  { url, headers, timeoutMs, isCompressed }: Endpoint,
  body: unknown,
): Promise<string | undefined> {
  const text = Buffer.from(JSON.stringify(body));
  const type = { 'content-type': 'application/json', 'user-agent': `tshelm/${tshelmVersion}` };
  const request = {
    method: 'POST',
    url,
    headers: { ...type, ...headers, ...(isCompressed && { 'content-encoding': 'gzip' }) },
    body: isCompressed ? gzipSync(text) : text,
    timeoutMs,
    retries: 1,
    staysAtOrigin: true,
  } as const;
  try {
    const answer = await client.send(request);
    return answer.status < 300 ? partlyRefused(answer.body) : answer.statusLine;
  } catch (error) {
    return messageOf(error);
  }
}

/** A collector may take some and say so (ExportTracePartialSuccess). */
function partlyRefused(body: Uint8Array): string | undefined {
  const { partialSuccess } = objectIn(body);
  if (!isObject(partialSuccess)) return undefined;
  const { rejectedSpans, rejectedDataPoints, errorMessage } = partialSuccess;
  const count = Number(rejectedSpans ?? rejectedDataPoints ?? 0);
  return count > 0 ? `${count} were not taken: ${String(errorMessage ?? '')}` : undefined;
}

function objectIn(body: Uint8Array): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(Buffer.from(body).toString('utf8'));
    return isObject(value) ? value : {};
  } catch {
    // Some answer with nothing, or in protobuf.
    return {};
  }
}
