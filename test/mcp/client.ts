import { PassThrough } from 'node:stream';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { type ServeRequest, serve } from '../../src/mcp/serve.ts';
import { SecretWords } from '../../src/support/secret-words.ts';

/** A server in this process, and what is said to it and by it. */
export interface TestServer {
  /** Sends a line as it is. */
  say(line: string): void;
  /** The next line that it writes, as JSON. */
  next(): Promise<Record<string, unknown>>;
  /** All that it has written. */
  readonly lines: readonly string[];
  /** Closes its input, and waits for its end. */
  end(): Promise<void>;
  readonly ended: Promise<void>;
  /** Is told each line, too. */
  onLine: (line: string) => void;
}

export type TestRequest = Partial<ServeRequest> & Pick<ServeRequest, 'folder' | 'cluster'>;

export function startServer(request: TestRequest): TestServer {
  const input = new PassThrough();
  const lines: string[] = [];
  let read = 0;
  let wake: () => void = () => {};
  const server: TestServer = {
    lines,
    say: (line) => void input.write(`${line}\n`),
    async next() {
      while (lines.length === read) await new Promise<void>((resolve) => (wake = resolve));
      return JSON.parse(lines[read++] as string) as Record<string, unknown>;
    },
    async end() {
      input.end();
      await server.ended;
    },
    onLine: () => {},
    ended: serve({
      input,
      write: (line) => {
        lines.push(line);
        wake();
        server.onLine(line);
      },
      signal: new AbortController().signal,
      namespace: 'default',
      driver: '',
      environment: { HOME: '/nonexistent' },
      isOffline: false,
      secrets: new SecretWords(),
      ...request,
    }),
  };
  return server;
}

/** The official client, connected: it checks messages and results against the protocol's and the tools' own schemas. */
export async function connectClient(server: TestServer): Promise<Client> {
  const transport: Transport = {
    start: async () => {
      server.onLine = (line) => transport.onmessage?.(JSON.parse(line) as JSONRPCMessage);
    },
    send: async (message) => server.say(JSON.stringify(message)),
    close: async () => server.end(),
  };
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  // It learns what results must be.
  await client.listTools();
  return client;
}

/** What a tool answers, or the failure that it tells. */
export async function call(client: Client, name: string, given: object): Promise<Record<string, unknown>> {
  const result = await client.callTool({ name, arguments: { ...given } });
  const [first] = result.content as readonly { readonly text: string }[];
  const told = JSON.parse(first?.text ?? '') as Record<string, unknown>;
  if (result.isError !== true && JSON.stringify(told) !== JSON.stringify(result.structuredContent))
    throw new Error('the text of a result is not its data');
  return told;
}
