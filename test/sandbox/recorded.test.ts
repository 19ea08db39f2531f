import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TestSandbox } from './support.ts';

/** Requests, and what kube-apiserver v1.36.3 answered to them (scripts/sandbox-answers.mjs). */
interface Recorded {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly type?: string;
  readonly body?: unknown;
  readonly code: number;
  /** None of what was accepted, where only refusals and warnings count. */
  readonly answer?: unknown;
  readonly warnings?: string;
}

const recorded = (file: string): Recorded[] =>
  JSON.parse(readFileSync(new URL(`./fixtures/${file}.json`, import.meta.url), 'utf8')) as Recorded[];

describe.each([
  'refusals',
  'apply',
  'admission',
  'policies',
  'custom-rules',
  'pod-security',
  'quota-scopes',
  'rare-kinds',
])('%s as the API server answers them', (file) => {
  let sandbox: TestSandbox;
  beforeAll(async () => {
    sandbox = await TestSandbox.open();
  });
  afterAll(() => sandbox.sandbox.close());

  test.each(recorded(file))('$name', async ({ method, path, body, type, code, answer, warnings }) => {
    const own = await sandbox.request(method, path, body, type);
    if (/customresourcedefinitions|namespaces$/.test(path)) await sandbox.elapse(10);
    if (answer === undefined)
      expect({ code: own.code, warnings: own.warnings }).toEqual({ code, warnings: warnings ?? null });
    // What admission lets through is not what its file is about.
    else if (file === 'admission' && code === 201) expect(own.code).toBe(201);
    else expect({ code: own.code, answer: comparable(own.body) }).toEqual({ code, answer: comparable(answer) });
  });
});

interface Comparable {
  kind?: string;
  metadata?: Record<string, unknown> & { annotations?: Record<string, string> };
  spec?: Record<string, unknown>;
  [key: string]: unknown;
}

/** Without what differs from run to run: ids, times, addresses, and what controllers wrote. */
function comparable(answer: unknown): unknown {
  if (typeof answer !== 'object' || answer === null) return answer;
  const { kind, ...rest } = structuredClone(answer) as Comparable;
  if (kind === 'Status') return { ...rest, details: withoutUid(rest.details) };
  delete rest.status;
  const metadata = rest.metadata ?? {};
  for (const field of ['uid', 'resourceVersion', 'creationTimestamp', 'generation']) delete metadata[field];
  delete metadata.annotations?.['deployment.kubernetes.io/revision'];
  if (Object.keys(metadata.annotations ?? {}).length === 0) delete metadata.annotations;
  const entries = ((metadata.managedFields ?? []) as Record<string, unknown>[]).filter(isClients);
  // Their order depends on times; that is another test's business.
  metadata.managedFields = entries.map((entry) => JSON.stringify(sorted({ ...entry, time: undefined }))).sort();
  delete rest.spec?.clusterIP;
  delete rest.spec?.clusterIPs;
  return { kind, ...rest, metadata };
}

const withoutUid = (details: unknown): unknown =>
  typeof details === 'object' ? { ...details, uid: undefined } : details;

const isClients = ({ manager, subresource }: Record<string, unknown>): boolean =>
  subresource !== 'status' && !/^(kube-|kubelet)/.test(String(manager));

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, sorted(item)]));
}
