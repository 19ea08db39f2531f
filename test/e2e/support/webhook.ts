import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import { join } from 'node:path';
import type { KubernetesObject } from '../../../src/manifest/types.ts';

/** An admission webhook on loopback. */
export interface Webhook {
  readonly configuration: KubernetesObject;
  /** Listens from now on; until then it cannot be reached. */
  start(): Promise<void>;
  stop(): void;
}

/** A webhook for the creation of `resource` in a namespace: refuses with `denial`, or allows all. `port` must be free. */
export function webhookFor(
  directory: string,
  {
    name,
    namespace,
    resource,
    port,
    denial,
  }: {
    readonly name: string;
    readonly namespace: string;
    readonly resource: string;
    readonly port: number;
    readonly denial?: string | undefined;
  },
): Webhook {
  const [key, cert] = ['key', 'crt'].map((ending) => join(directory, `${name}.${ending}`)) as [string, string];
  const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=127.0.0.1'];
  execFileSync('openssl', [...request, '-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', key, '-out', cert], {
    stdio: 'ignore',
  });
  const server: Server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const review = JSON.parse(Buffer.concat(chunks).toString()) as { request: { uid: string } };
      const verdict = denial === undefined ? { allowed: true } : { allowed: false, status: { message: denial } };
      response.setHeader('content-type', 'application/json');
      response.end(
        JSON.stringify({
          apiVersion: 'admission.k8s.io/v1',
          kind: 'AdmissionReview',
          response: { uid: review.request.uid, ...verdict },
        }),
      );
    });
  });
  return {
    configuration: {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name: `${name}-${namespace}` },
      webhooks: [
        {
          name: `${name}.example.com`,
          clientConfig: { url: `https://127.0.0.1:${port}/`, caBundle: readFileSync(cert).toString('base64') },
          rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: [resource] }],
          namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
          sideEffects: 'None',
          timeoutSeconds: 2,
          admissionReviewVersions: ['v1'],
        },
      ],
    },
    start: () => new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve())),
    stop: () => void server.close(),
  };
}
