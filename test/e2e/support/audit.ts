import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Admin } from './namespaces.ts';

/** One write as the API server took it; dry runs are none. */
export interface Write {
  readonly verb: 'create' | 'update' | 'patch' | 'delete' | 'deletecollection';
  /** Group, resource and subresource as kubectl writes them: `deployments.apps`, `pods/status`. */
  readonly resource: string;
  readonly name: string;
  /** What is cluster-wide may be another test's. */
  readonly isNamespaced: boolean;
  /** Resource and name: `deployments.apps/web`. */
  readonly object: string;
  /** When the request came, and when it was answered; milliseconds since the epoch, with fractions. */
  readonly at: number;
  readonly answered: number;
  readonly code: number;
  /** The program alone: `tshelm`, `Helm`, `kwok`, `kube-controller-manager`. */
  readonly userAgent: string;
  /** The conditions that are true then, of what the log holds in full: Pods' and Jobs' status, and apps. */
  readonly conditions: readonly string[];
  /** What the API server answered, where the log holds it: Pods' status, apps, batch and ConfigMaps. */
  readonly answer: AnsweredObject | undefined;
}

export interface AnsweredObject {
  readonly metadata?: {
    readonly uid?: string;
    readonly generation?: number;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec?: { readonly replicas?: number };
  readonly status?: Readonly<Record<string, unknown>> & {
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
}

/** The API server's own account of what happened in a namespace. */
export interface Audit {
  /** Forgets what came before. */
  begin(): void;
  /** The writes since then, in the order in which they came; `isAsked` chooses among them. */
  writes(isAsked?: (write: Write) => boolean): Promise<readonly Write[]>;
  /** The writes that came since it was asked last, or since {@link begin}. */
  next(): Promise<readonly Write[]>;
  /** Those that were asked for as dry runs, of what is in the namespace. */
  dryRuns(): Promise<readonly Write[]>;
}

interface AuditEvent {
  readonly verb: string;
  readonly requestURI: string;
  readonly userAgent?: string;
  readonly objectRef?: {
    readonly resource: string;
    readonly namespace?: string;
    readonly name?: string;
    readonly apiGroup?: string;
    readonly subresource?: string;
  };
  readonly responseStatus?: { readonly code?: number };
  readonly responseObject?: AnsweredObject;
  readonly requestReceivedTimestamp: string;
  readonly stageTimestamp: string;
}

/**
 * Reads the audit log that lies beside the kubeconfig (`AUDIT=1 up.sh`). What is cluster-wide counts too: tests run side
 * by side, so ask for names of your own there.
 */
export function auditOf(admin: Pick<Admin, 'namespace' | 'cluster'>): Audit {
  const path = join(dirname(process.env['KUBECONFIG'] ?? ''), 'audit.log');
  let start = 0;
  let marks = 0;
  /** The whole lines that began since `start`, at least to a mark that is made now, and where they end. */
  const lines = async (): Promise<{ readonly text: Buffer; readonly end: number }> => {
    const mark = `audit-mark-${admin.namespace}-${(marks += 1)}`;
    await admin.cluster().delete({ apiVersion: 'v1', kind: 'ConfigMap', namespace: admin.namespace, name: mark });
    for (;;) {
      // The log may have grown by a part of a line alone when its size was taken: that line is of what came before.
      const from = Math.max(0, start - 1);
      const read = readFrom(path, from);
      const [first, last] = [start === 0 ? 0 : read.indexOf('\n') + 1, read.lastIndexOf('\n') + 1];
      const text = read.subarray(first, last);
      if (text.includes(mark)) return { text, end: from + last };
      await delay(50);
    }
  };
  const ofKind = async (isDryRun: boolean, text?: Buffer): Promise<readonly Write[]> =>
    eventsIn((text ?? (await lines()).text).toString(), admin.namespace)
      .filter(({ requestURI }) => requestURI.includes('dryRun=') === isDryRun)
      .map(writeOf)
      .filter(({ name }) => !name.startsWith('audit-mark-'))
      .sort((a, b) => a.at - b.at);
  return {
    begin: () => void (start = statSync(path).size),
    writes: async (isAsked = () => true) => (await ofKind(false)).filter(isAsked),
    next: async () => {
      const { text, end } = await lines();
      start = end;
      return ofKind(false, text);
    },
    dryRuns: async () => (await ofKind(true)).filter(({ isNamespaced }) => isNamespaced),
  };
}

function readFrom(path: string, start: number): Buffer {
  const file = openSync(path, 'r');
  try {
    const text = Buffer.alloc(Math.max(0, fstatSync(file).size - start));
    return text.subarray(0, readSync(file, text, 0, text.length, start));
  } finally {
    closeSync(file);
  }
}

function eventsIn(text: string, namespace: string): readonly AuditEvent[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as AuditEvent)
    .filter(({ objectRef }) => objectRef !== undefined && (objectRef.namespace ?? namespace) === namespace)
    .filter(
      ({ objectRef: { namespace: own, name = '' } = { resource: '' } }) =>
        own !== undefined || !isAnothers(name, namespace),
    );
}

/** Two files run at a time. What is cluster-wide is named after the namespace of its test, which ends in numbers. */
const isAnothers = (name: string, namespace: string): boolean =>
  /[a-z]-\d{3,}(?:\D|$)/.test(name) && !name.includes(namespace);

function writeOf({ verb, objectRef, ...event }: AuditEvent): Write {
  const { resource = '', name = '', apiGroup, subresource } = objectRef ?? {};
  const grouped = apiGroup === undefined ? resource : `${resource}.${apiGroup}`;
  const asked = subresource === undefined ? grouped : `${grouped}/${subresource}`;
  return {
    verb: verb as Write['verb'],
    resource: asked,
    name,
    isNamespaced: objectRef?.namespace !== undefined,
    object: `${asked}/${name}`,
    at: millisecondsOf(event.requestReceivedTimestamp),
    answered: millisecondsOf(event.stageTimestamp),
    answer: event.responseObject,
    code: event.responseStatus?.code ?? 0,
    userAgent: programOf(event.userAgent ?? ''),
    conditions: (event.responseObject?.status?.conditions ?? [])
      .filter(({ status }) => status === 'True')
      .map(({ type }) => type),
  };
}

/** tshelm names Helm's version before its own. */
const programOf = (userAgent: string): string =>
  userAgent.includes('tshelm/') ? 'tshelm' : (userAgent.split('/')[0] as string);

/** Kubernetes writes microseconds, which Date drops. */
function millisecondsOf(text: string): number {
  const fraction = /\.\d{3}(\d+)/.exec(text)?.[1] ?? '';
  return Date.parse(text) + (fraction === '' ? 0 : Number(`0.${fraction}`));
}
