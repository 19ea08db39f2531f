import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

/** A question of the API server for the log of a container. */
export interface LogRequest {
  readonly pod: string;
  readonly container: string;
  readonly query: URLSearchParams;
}

/** A kubelet that knows logs alone. The API server asks it for those of the pods of a node with this address. */
export interface Kubelet {
  readonly port: number;
  readonly asked: readonly LogRequest[];
  close(): void;
}

/** `answer` writes the lines, and ends the answer when the container has ended. */
export async function openKubelet(
  directory: string,
  answer: (request: LogRequest, response: ServerResponse) => void,
): Promise<Kubelet> {
  const [key, cert] = ['key', 'crt'].map((ending) => join(directory, `kubelet.${ending}`)) as [string, string];
  const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=127.0.0.1'];
  execFileSync('openssl', [...request, '-keyout', key, '-out', cert], { stdio: 'ignore' });
  const asked: LogRequest[] = [];
  const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (incoming, response) => {
    const { pathname, searchParams: query } = new URL(incoming.url ?? '', 'https://kubelet');
    const [, , , pod = '', container = ''] = pathname.split('/');
    asked.push({ pod, container, query });
    answer({ pod, container, query }, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    asked,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
