// What runs in the page's worker: it answers one message after the other.
import { readArchive } from '../chart/archive.ts';
import type { ChartFiles } from '../chart/file-map.ts';
import { messageOf } from '../support/errors.ts';
import { type Answer, answer, type Question } from './answer.ts';

/** The part of a worker's global object that is used here. */
interface WorkerScope {
  onmessage: ((message: { readonly data: Request }) => void) | null;
  postMessage(reply: Reply): void;
}

/** A chart to render, or a packed one to unpack. */
export type Request =
  | { readonly id: number; readonly kind: 'render'; readonly question: Question }
  | { readonly id: number; readonly kind: 'unpack'; readonly packed: Uint8Array };

export interface Reply {
  readonly id: number;
  readonly answer?: Answer;
  readonly files?: ChartFiles;
  /** Why an archive cannot be unpacked. */
  readonly problem?: string;
}

const worker = globalThis as unknown as WorkerScope;

worker.onmessage = ({ data }) => void reply(data).then((answered) => worker.postMessage({ id: data.id, ...answered }));

async function reply(request: Request): Promise<Omit<Reply, 'id'>> {
  return request.kind === 'render' ? { answer: await answer(request.question) } : unpacked(request.packed);
}

function unpacked(packed: Uint8Array): Omit<Reply, 'id'> {
  try {
    return { files: new Map(readArchive(packed).map(({ name, data }) => [name, data])) };
  } catch (cause) {
    return { problem: messageOf(cause) };
  }
}
