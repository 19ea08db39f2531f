import { type ChildProcess, spawn } from 'node:child_process';
import { pathToFileURL } from 'node:url';

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

/** A diagnostic as the protocol has it. */
export interface SentDiagnostic {
  readonly range: { readonly start: Position; readonly end: Position };
  readonly severity: number;
  readonly code: string;
  readonly message: string;
}

interface Position {
  readonly line: number;
  readonly character: number;
}

/** An editor as far as the protocol goes: a program that serves it, by standard input and output. */
export class Client {
  readonly #child: ChildProcess;
  readonly #answers = new Map<number, (message: Message) => void>();
  readonly #waiting: (() => void)[] = [];
  /** By URI, the diagnostics that were sent last, and how often any were sent. */
  readonly diagnostics = new Map<string, readonly SentDiagnostic[]>();
  readonly sent = new Map<string, number>();
  readonly exited: Promise<number | null>;
  #rest = Buffer.alloc(0);
  #id = 0;

  constructor(command: string, words: readonly string[], cwd: string) {
    this.#child = spawn(command, [...words], { cwd, stdio: ['pipe', 'pipe', 'inherit'] });
    this.#child.stdout?.on('data', (data: Buffer) => this.#read(data));
    this.exited = new Promise((resolve) => this.#child.on('exit', resolve));
  }

  #read(data: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, data]);
    for (;;) {
      const end = this.#rest.indexOf('\r\n\r\n');
      const length = Number(/Content-Length: (\d+)/i.exec(this.#rest.subarray(0, Math.max(0, end)).toString())?.[1]);
      if (end < 0 || this.#rest.length < end + 4 + length) return;
      const message = JSON.parse(this.#rest.subarray(end + 4, end + 4 + length).toString()) as Message;
      this.#rest = this.#rest.subarray(end + 4 + length);
      this.#take(message);
    }
  }

  #take(message: Message): void {
    if (message.method === 'textDocument/publishDiagnostics') {
      const { uri, diagnostics } = message.params as { uri: string; diagnostics: readonly SentDiagnostic[] };
      this.diagnostics.set(uri, diagnostics);
      this.sent.set(uri, (this.sent.get(uri) ?? 0) + 1);
    } else if (message.id !== undefined) this.#answers.get(message.id)?.(message);
    for (const look of this.#waiting.splice(0)) look();
  }

  #send(message: object): void {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    this.#child.stdin?.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  }

  notify(method: string, params?: object): void {
    this.#send({ method, params });
  }

  /** The answer to a request. Errors: what the server answers with. */
  async request<R>(method: string, params?: object): Promise<R> {
    this.#id += 1;
    const id = this.#id;
    this.#send({ id, method, params });
    const answer = await new Promise<Message>((resolve) => this.#answers.set(id, resolve));
    if (answer.error !== undefined) throw new Error(`${answer.error.code}: ${answer.error.message}`);
    return answer.result as R;
  }

  /** Waits for a message after which this holds. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  open(path: string, text: string): void {
    const uri = pathToFileURL(path).href;
    this.notify('textDocument/didOpen', { textDocument: { uri, languageId: 'helm', version: 1, text } });
  }

  change(path: string, text: string): void {
    const textDocument = { uri: pathToFileURL(path).href, version: 2 };
    this.notify('textDocument/didChange', { textDocument, contentChanges: [{ text }] });
  }

  /** The diagnostics of a file that were sent last; undefined where none ever were. */
  of(path: string): readonly SentDiagnostic[] | undefined {
    return this.diagnostics.get(pathToFileURL(path).href);
  }

  at(path: string, { line, character }: Position): object {
    return { textDocument: { uri: pathToFileURL(path).href }, position: { line, character } };
  }

  async start(): Promise<unknown> {
    const answer = await this.request('initialize', { processId: null, rootUri: null, capabilities: {} });
    this.notify('initialized', {});
    return answer;
  }

  async stop(): Promise<number | null> {
    await this.request('shutdown');
    this.notify('exit');
    return this.exited;
  }
}
