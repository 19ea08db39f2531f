/** Attributes of spans, data points and resources; what is undefined is left out. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** Times are milliseconds since the epoch. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string | undefined;
  readonly traceState?: string | undefined;
  readonly name: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Attributes;
  readonly events: readonly SpanEvent[];
  /** Why it did not end well; undefined where it did. */
  readonly failure?: string | undefined;
}

export interface SpanEvent {
  readonly name: string;
  readonly atMs: number;
  readonly attributes: Attributes;
}

/** Durations in seconds, those with the same attributes together. */
export interface Durations {
  readonly name: string;
  readonly description: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly points: readonly { readonly attributes: Attributes; readonly seconds: readonly number[] }[];
}

const scope = { name: 'tshelm' };

/** The body of a request to `/v1/traces`: OTLP in JSON (opentelemetry-proto, trace.proto). */
export const tracesBody = (resource: Attributes, spans: readonly Span[]) => ({
  resourceSpans: [
    { resource: { attributes: encoded(resource) }, scopeSpans: [{ scope, spans: spans.map(encodedSpan) }] },
  ],
});

/** The body of a request to `/v1/metrics`: histograms of what this process did, so of changes alone. */
export const metricsBody = (resource: Attributes, metrics: readonly Durations[]) => ({
  resourceMetrics: [
    { resource: { attributes: encoded(resource) }, scopeMetrics: [{ scope, metrics: metrics.map(histogram) }] },
  ],
});

const internalKind = 1;
const [okCode, errorCode] = [1, 2];

const encodedSpan = ({ traceId, spanId, parentSpanId, traceState, ...span }: Span) => ({
  traceId,
  spanId,
  ...(parentSpanId && { parentSpanId }),
  ...(traceState && { traceState }),
  name: span.name,
  kind: internalKind,
  startTimeUnixNano: nanoseconds(span.startMs),
  endTimeUnixNano: nanoseconds(span.endMs),
  attributes: encoded(span.attributes),
  events: span.events.map(({ name, atMs, attributes }) => ({
    name,
    timeUnixNano: nanoseconds(atMs),
    attributes: encoded(attributes),
  })),
  status: span.failure === undefined ? { code: okCode } : { code: errorCode, message: span.failure },
});

/** In seconds; as wide as deploys are. */
const bounds = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800];
const delta = 1;

const histogram = ({ name, description, startMs, endMs, points }: Durations) => ({
  name,
  description,
  unit: 's',
  histogram: {
    aggregationTemporality: delta,
    dataPoints: points.map(({ attributes, seconds }) => ({
      attributes: encoded(attributes),
      startTimeUnixNano: nanoseconds(startMs),
      timeUnixNano: nanoseconds(endMs),
      count: String(seconds.length),
      sum: seconds.reduce((sum, one) => sum + one, 0),
      min: seconds.reduce((least, one) => Math.min(least, one), Number.POSITIVE_INFINITY),
      max: seconds.reduce((most, one) => Math.max(most, one), 0),
      explicitBounds: bounds,
      bucketCounts: bucketCounts(seconds).map(String),
    })),
  },
});

/** One more than there are bounds: a bucket goes up to its bound, the last one beyond all. */
function bucketCounts(seconds: readonly number[]): readonly number[] {
  const counts = Array.from({ length: bounds.length + 1 }, () => 0);
  for (const one of seconds) {
    const at = bounds.findIndex((bound) => one <= bound);
    counts[at < 0 ? bounds.length : at] = (counts[at < 0 ? bounds.length : at] ?? 0) + 1;
  }
  return counts;
}

const nanoseconds = (ms: number): string => `${Math.round(ms)}000000`;

const encoded = (attributes: Attributes) =>
  Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: encodedValue(value) }],
  );

function encodedValue(value: string | number | boolean) {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}
