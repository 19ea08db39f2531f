import type { FieldPath } from '../manifest/field-path.ts';
import type { Quote } from './quote.ts';

/** What the API server refused, by its HTTP status, reason and causes; a webhook's or a policy's sentence is a quote. */
export type RefusalFact =
  /** The API server refused an object, for a reason that has no code of its own. Change the object as its words say. */
  | { readonly code: 'refused'; readonly status: number; readonly reason: string; readonly words: Quote }
  /** An object was not sent, or nobody answered. The failure's message says why. */
  | { readonly code: 'not-sent' }
  /** An earlier run has left the object of a hook, so it cannot be created. Delete it, or let the hook delete it before it is created. */
  | { readonly code: 'left-over'; readonly fields: readonly string[]; readonly words?: Quote | undefined }
  /** The cluster does not serve this kind in this version. Install its CRD, or correct the apiVersion. */
  | { readonly code: 'kind-unknown'; readonly apiVersion: string; readonly kind: string }
  /** Parts of a rendered object have the wrong type. Correct the template. */
  | { readonly code: 'object-malformed'; readonly parts: readonly MalformedPart[] }
  /** An object has no name. Give it one. */
  | { readonly code: 'name-missing'; readonly path: FieldPath; readonly isEmpty: boolean };

/** A part of a rendered object that keeps it from being one. */
export interface MalformedPart {
  readonly path: FieldPath;
  readonly reason: string;
}

/** Their codes. */
export const refusalCodes: Readonly<Record<RefusalFact['code'], true>> = {
  refused: true,
  'not-sent': true,
  'left-over': true,
  'kind-unknown': true,
  'object-malformed': true,
  'name-missing': true,
};
