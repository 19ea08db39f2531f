import { compact, type JsonObject, without } from '../../support/json.ts';
import type { Environment } from '../api/environment.ts';
import { atVersion } from '../api/read.ts';
import { apiVersionOf, type Kind, storageKey } from '../kinds/kind.ts';
import { keyOf, type Resource } from '../resource.ts';
import { badRequest, expired } from '../status.ts';
import { fieldPredicate, labelPredicate, type Predicate } from '../store/selectors.ts';

export interface Page {
  readonly items: readonly Resource[];
  readonly resourceVersion: string;
  readonly continue: string | undefined;
  readonly remaining: number | undefined;
}

export function selectorOf(kind: Kind, query: URLSearchParams): Predicate {
  const byLabel = labelPredicate(query.get('labelSelector') ?? undefined);
  const byField = fieldPredicate(query.get('fieldSelector') ?? undefined, kind.custom === undefined ? kind.kind : '');
  return (object) => byLabel(object) && byField(object);
}

/** A page of the objects that the selectors choose; `continue` carries the key where the next one begins. */
export function listPage(
  { store }: Environment,
  kind: Kind,
  namespace: string | undefined,
  query: URLSearchParams,
): Page {
  const selected = selectorOf(kind, query);
  const all = store.list(storageKey(kind), namespace).filter(selected);
  const { from, revision } = readToken(query.get('continue'));
  const rest = from === undefined ? all : all.filter((object) => keyOf(object) >= from);
  const limit = Number(query.get('limit') ?? 0);
  const items = limit > 0 ? rest.slice(0, limit) : rest;
  const next = rest[items.length];
  const resourceVersion = revision ?? String(store.revision);
  return {
    items: items.map((object) => atVersion(kind, object)),
    resourceVersion,
    continue: next === undefined ? undefined : writeToken(keyOf(next), resourceVersion),
    remaining: next === undefined ? undefined : rest.length - items.length,
  };
}

const writeToken = (from: string, revision: string): string =>
  Buffer.from(JSON.stringify({ from, revision })).toString('base64url');

function readToken(token: string | null): { from?: string; revision?: string } {
  if (token === null || token === '') return {};
  try {
    return JSON.parse(Buffer.from(token, 'base64url').toString()) as { from: string; revision: string };
  } catch {
    throw badRequest('continue key is not valid');
  }
}

/** Refuses a list at a version that the store has not reached. */
export function checkListVersion({ store }: Environment, query: URLSearchParams): void {
  const wanted = Number(query.get('resourceVersion') ?? 0);
  if (wanted > store.revision) {
    throw expired(`The resourceVersion for the provided list is too old or unknown: ${wanted} (${store.revision})`);
  }
}

/** A list; the items of built-in kinds do not repeat their type. */
export const listObject = (kind: Kind, page: Page, items: readonly JsonObject[]): JsonObject => ({
  kind: kind.listKind,
  apiVersion: apiVersionOf(kind),
  metadata: compact({
    resourceVersion: page.resourceVersion,
    continue: page.continue,
    remainingItemCount: page.remaining,
  }),
  items: kind.custom === undefined ? items.map((item) => without(item, 'apiVersion', 'kind')) : [...items],
});
