import { causesOf } from '../support/errors.ts';
import { clusterUnreachable, isApiError } from './api-error.ts';
import type { ListPage } from './http/answer.ts';
import type { OpenBody } from './http/exchange.ts';
import { ListItems } from './http/list-items.ts';
import { neverReachedServer } from './network-error.ts';

/** Which part of a list; without a limit all that follows. */
export interface PageRequest {
  readonly limit?: string | undefined;
  /** The server's word for where the page begins. */
  readonly next?: string | undefined;
}

export interface PagedList {
  /** Asks for a page; fails with the server's refusal. */
  readonly ask: (request: PageRequest) => Promise<OpenBody>;
  /** Reads a page without its items; fails where it is none. */
  readonly read: (text: string) => ListPage;
  readonly signal?: AbortSignal | undefined;
}

const pageSize = '500';
const mostAttempts = 3;

/**
 * The items of a list, as their bytes, as they come in. It is asked for whole, which the API server has at hand, while it
 * fetches pages from etcd one by one. Where it breaks off, as the server does after a minute on a slow line, it is read
 * anew in pages; where those are too old to go on with (410), as a whole again. An item may come twice then.
 */
export async function* listPages({ ask, read, signal }: PagedList): AsyncGenerator<readonly Buffer[]> {
  let page: PageRequest = {};
  const seen = new Set<string>();
  for (let attempt = 1; ; ) {
    let hasBegun = false;
    try {
      const body = await ask(page);
      hasBegun = true;
      const end = yield* itemsOf(body);
      const next = nextIn(read(end), seen);
      if (next === undefined) return;
      page = { limit: pageSize, next };
    } catch (error) {
      signal?.throwIfAborted();
      const isExpired = isApiError(error) && error.failure.status === 410 && page.next !== undefined;
      const mayHelp = hasBegun || isExpired || (isWhole(page) && !isFinal(error));
      if (attempt >= mostAttempts || !mayHelp) throw error;
      attempt += 1;
      page = isExpired ? {} : { limit: pageSize };
      seen.clear();
    }
  }
}

const isWhole = ({ limit }: PageRequest): boolean => limit === undefined;

/** The server has refused, or is not there: it was asked as often as that is worth. */
const isFinal = (error: unknown): boolean => isApiError(error) || causesOf(error).some(neverReachedServer);

/** Returns the page without its items. */
async function* itemsOf({ body, stop }: OpenBody): AsyncGenerator<readonly Buffer[], string> {
  const list = new ListItems();
  try {
    for await (const chunk of body) {
      const items = list.take(chunk as Buffer);
      if (items.length > 0) yield items;
    }
  } finally {
    stop();
  }
  return list.listWithoutItems();
}

/** Where the next page begins; undefined when there is none. A server that sends the reader back would do so for ever. */
export function nextIn({ metadata }: ListPage, seen: Set<string>): string | undefined {
  const next = metadata?.continue || undefined;
  if (next === undefined) return undefined;
  if (seen.has(next))
    throw clusterUnreachable('the list never ends: the server returned a continue token that it had returned before');
  seen.add(next);
  return next;
}
