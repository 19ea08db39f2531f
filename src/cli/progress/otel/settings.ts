import { TshelmError } from '../../../support/errors.ts';
import { tshelmVersion } from '../../../support/version.ts';
import type { Attributes } from './otlp.ts';

/** Where one kind of telemetry is sent. */
export interface Endpoint {
  readonly url: string;
  /** Names in small letters. */
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly isCompressed: boolean;
}

/** The span of whoever started this process, as W3C's trace context has it. */
export interface ParentSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly isSampled: boolean;
  readonly traceState: string;
}

export interface OtelSettings {
  readonly traces: Endpoint | undefined;
  readonly metrics: Endpoint | undefined;
  /** What says who sends. */
  readonly resource: Attributes;
  readonly parent: ParentSpan | undefined;
}

type Env = Readonly<Record<string, string | undefined>>;
type Signal = 'traces' | 'metrics';

const defaultTimeoutMs = 10_000;

/**
 * What the variables of OpenTelemetry say (its specification: environment variables, OTLP exporter). Without them a
 * collector of this machine is meant. Errors: `bad-flag` for an endpoint that nothing can be sent to.
 */
export function otelSettings(env: Env): OtelSettings {
  const isOff = isTrue(env['OTEL_SDK_DISABLED']);
  const parent = parentIn(env);
  const isLeftOut = isOff || parent?.isSampled === false;
  return {
    traces: isLeftOut ? undefined : endpointOf('traces', env),
    metrics: isOff ? undefined : endpointOf('metrics', env),
    resource: {
      'service.name': 'tshelm',
      'service.version': tshelmVersion,
      ...pairsIn(env['OTEL_RESOURCE_ATTRIBUTES']),
      ...(env['OTEL_SERVICE_NAME'] ? { 'service.name': env['OTEL_SERVICE_NAME'] } : {}),
    },
    parent,
  };
}

function endpointOf(signal: Signal, env: Env): Endpoint | undefined {
  const name = signal.toUpperCase();
  if (env[`OTEL_${name}_EXPORTER`]?.trim() === 'none') return undefined;
  const given = (setting: string): string | undefined =>
    env[`OTEL_EXPORTER_OTLP_${name}_${setting}`] || env[`OTEL_EXPORTER_OTLP_${setting}`];
  refuseGrpc(given('PROTOCOL'));
  return {
    url: urlOf(signal, env),
    headers: Object.fromEntries(
      Object.entries(pairsIn(given('HEADERS'))).map(([key, value]) => [key.toLowerCase(), value]),
    ),
    timeoutMs: millisecondsIn(given('TIMEOUT')),
    isCompressed: given('COMPRESSION')?.trim() === 'gzip',
  };
}

function refuseGrpc(protocol: string | undefined): void {
  if (protocol?.trim() !== 'grpc') return;
  const message =
    '--otel: $OTEL_EXPORTER_OTLP_PROTOCOL asks for grpc, and tshelm sends OTLP over HTTP: set it to http/json, and the endpoint to the port for HTTP of the collector, mostly 4318';
  throw new TshelmError('bad-flag', { message });
}

/** The address of a signal counts as it is; that of all signals is where their paths begin. */
function urlOf(signal: Signal, env: Env): string {
  const own = `OTEL_EXPORTER_OTLP_${signal.toUpperCase()}_ENDPOINT`;
  const common = 'OTEL_EXPORTER_OTLP_ENDPOINT';
  if (env[own]) return checkedUrl(own, env[own]).href;
  const base = checkedUrl(common, env[common] || 'http://localhost:4318');
  base.pathname = `${base.pathname.replace(/\/$/, '')}/v1/${signal}`;
  return base.href;
}

function checkedUrl(variable: string, text: string): URL {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  const message = `--otel: $${variable} has to be a URL of http or https: ${JSON.stringify(text)}`;
  throw new TshelmError('bad-flag', { message });
}

/** `key=value,key=value`, the values as in a URL; what has no `=` is none. */
function pairsIn(text = ''): Readonly<Record<string, string>> {
  const pairs = text.split(',').flatMap((pair): [string, string][] => {
    const at = pair.indexOf('=');
    return at > 0 ? [[pair.slice(0, at).trim(), unescapedText(pair.slice(at + 1).trim())]] : [];
  });
  return Object.fromEntries(pairs);
}

function unescapedText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A percent sign that begins nothing means itself.
    return text;
  }
}

const millisecondsIn = (text = ''): number => (/^\s*[1-9]\d{0,8}\s*$/.test(text) ? Number(text) : defaultTimeoutMs);

const isTrue = (text = ''): boolean => text.trim().toLowerCase() === 'true';

/** $TRACEPARENT and $TRACESTATE; what is not one begins a trace of its own, as W3C's specification asks for. */
function parentIn(env: Env): ParentSpan | undefined {
  const [, version, traceId = '', spanId = '', flags = ''] =
    /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/.exec(env['TRACEPARENT']?.trim() ?? '') ?? [];
  if (version === undefined || version === 'ff' || isZero(traceId) || isZero(spanId)) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1, traceState: env['TRACESTATE'] ?? '' };
}

const isZero = (id: string): boolean => /^0*$/.test(id);
