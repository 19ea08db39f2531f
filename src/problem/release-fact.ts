import type { Quote } from './quote.ts';

/** What does not fit together in a rendered release, although the API server may accept each object of it. */
export type ReleaseFact =
  /** No definition of this kind is known here, so the fields of the object were not checked. Name the chart or the files with its CRD, or ask the cluster. */
  | { readonly code: 'kind-not-checked'; readonly apiVersion: string; readonly kind: string }
  /** The cluster could not be asked by a dry run, or objects of it could not be read; what is known here was said instead. Ask with an account that has the rights. */
  | {
      readonly code: 'cluster-silent';
      readonly request: 'read' | 'dry-run';
      readonly kinds: readonly string[];
      readonly words: Quote;
    }
  /** The release has the object more than once, and the last one wins. Rename or remove the others. */
  | { readonly code: 'object-duplicate'; readonly count: number }
  /** A template writes a key twice into one mapping: the last one counts, and what the first one says is lost. Write it once, with what both say. */
  | { readonly code: 'key-twice'; readonly field: string }
  /** An object refers to another one that the release does not have. Make sure that the cluster has it before the release is deployed. */
  | { readonly code: 'reference-outside'; readonly kind: string; readonly name: string }
  /** An object refers to another one that the release does not have, and the release has one with a similar name. Correct the name. */
  | {
      readonly code: 'reference-misspelt';
      readonly kind: string;
      readonly name: string;
      readonly meant: string;
      /** Where the names are the same and the namespaces are not. */
      readonly namespaces?: { readonly written: string; readonly meant: string } | undefined;
    }
  /** An object refers to another one that neither the release nor the cluster has. Create it, or correct the name. */
  | { readonly code: 'object-missing'; readonly kind: string; readonly name: string }
  /** An object reads a key that its ConfigMap or Secret of the release does not have. Add the key, or correct its name. */
  | {
      readonly code: 'key-missing';
      readonly kind: string;
      readonly name: string;
      readonly key: string;
      readonly keys: readonly string[];
    }
  /** An object sends to a port that the Service does not have. Name one of its ports. */
  | {
      readonly code: 'service-port-missing';
      readonly service: string;
      readonly port: string;
      readonly ports: readonly string[];
    }
  /** A probe asks a port by a name that its container does not have. Name one of its ports, or write the number. */
  | { readonly code: 'probe-port-missing'; readonly port: string; readonly names: readonly string[] }
  /** The order of the release does not work out. Change it as the words say. */
  | { readonly code: 'order-hazard'; readonly hazard: string; readonly words: Quote }
  /** The annotation tshelm.dev/check-ignore has a line without a code or without a reason. Write `code: reason`. */
  | { readonly code: 'ignore-invalid'; readonly line: string };

/** Their codes. */
export const releaseCodes: Readonly<Record<ReleaseFact['code'], true>> = {
  'kind-not-checked': true,
  'cluster-silent': true,
  'object-duplicate': true,
  'key-twice': true,
  'reference-outside': true,
  'reference-misspelt': true,
  'object-missing': true,
  'key-missing': true,
  'service-port-missing': true,
  'probe-port-missing': true,
  'order-hazard': true,
  'ignore-invalid': true,
};
