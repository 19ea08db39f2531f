import type { Quote } from './quote.ts';

/** What does not fit together in a rendered release, although the API server may accept each object of it. */
export type ReleaseFact =
  /** tshelm does not know the schema of this kind, so the fields of the object were not checked. Pass the chart or the files that contain the CRD, or check against the cluster. */
  | { readonly code: 'kind-not-checked'; readonly apiVersion: string; readonly kind: string }
  /** The cluster refused a dry run or a read, so the check covers only what tshelm knows without the cluster. Use an account that has the permissions. */
  | {
      readonly code: 'cluster-silent';
      readonly request: 'read' | 'dry-run';
      readonly kinds: readonly string[];
      readonly words: Quote;
    }
  /** The release has the object more than once, and the last one wins. Rename or remove the other copies. */
  | { readonly code: 'object-duplicate'; readonly count: number }
  /** A template sets the same key twice in one map, and only the last one counts. Set the key once, with the contents of both. */
  | { readonly code: 'key-twice'; readonly field: string }
  /** An object refers to another one that is not part of the release. Create the other object in the cluster before you deploy the release. */
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
  /** An object refers to another one that neither the release nor the cluster has. Create the object, or correct the name. */
  | { readonly code: 'object-missing'; readonly kind: string; readonly name: string }
  /** An object reads a key that its ConfigMap or Secret of the release does not have. Add the key, or correct the name. */
  | {
      readonly code: 'key-missing';
      readonly kind: string;
      readonly name: string;
      readonly key: string;
      readonly keys: readonly string[];
    }
  /** An object sends to a port that the Service does not have. Use one of the Service's ports. */
  | {
      readonly code: 'service-port-missing';
      readonly service: string;
      readonly port: string;
      readonly ports: readonly string[];
    }
  /** A probe uses a named port that its container does not have. Use one of the container's port names, or the number of the port. */
  | { readonly code: 'probe-port-missing'; readonly port: string; readonly names: readonly string[] }
  /** The order of the release has a hazard. Change the order as the message says. */
  | { readonly code: 'order-hazard'; readonly hazard: string; readonly words: Quote }
  /** The annotation tshelm.dev/check-ignore has a line without a code or without a reason. Write `CODE: REASON`. */
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
