import type { NameListMistake } from '../manifest/name-list.ts';
import type { Quote } from './quote.ts';

/** What is wrong in the order that a chart declares, or in the annotations of its hooks (docs/ordering.md). Keys are spelt as the file spells them. */
export type OrderFact =
  /** Subcharts or resource groups wait for each other. Remove one of the declarations. */
  | {
      readonly code: 'order-cycle';
      readonly of: 'subcharts' | 'resource groups' | 'resources';
      readonly chart: string;
      readonly cycle: readonly string[];
      readonly waits: readonly OrderWait[];
    }
  /** A declaration names a chart that is not a dependency of its chart. Correct the name, or add the dependency. */
  | {
      readonly code: 'order-subchart-unknown';
      readonly key: string;
      /** What waits. */
      readonly resource?: string | undefined;
      readonly subchart?: string | undefined;
      readonly name: string;
      readonly chart: string;
      /** What may be named; `meant` are those with a similar name. */
      readonly known: readonly string[];
      readonly meant: readonly string[];
    }
  /** A resource waits for a resource group or a layer that no resource belongs to. Correct the name. */
  | {
      readonly code: 'order-group-unknown';
      readonly what: 'layer' | 'resource group';
      readonly name: string;
      /** The group that waits, or the resource if it is in none. */
      readonly waiting: string;
      readonly key: string;
      readonly resource: string;
      readonly chart: string;
      /** The name is a possible one, so it is ignored. */
      readonly isIgnored: boolean;
      readonly meant?: string | undefined;
    }
  /** A resource group does not wait for another group, and no group waits for it. Remove the annotation, or declare what depends on the group. */
  | { readonly code: 'order-group-isolated'; readonly name: string; readonly chart: string }
  /** A resource is in several groups or layers. Keep one. */
  | { readonly code: 'order-group-twice'; readonly resource: string; readonly groups: readonly string[] }
  /** A weight is not a whole number. Write a whole number in quotes: `"-5"`. */
  | {
      readonly code: 'order-weight-invalid';
      readonly resource: string;
      readonly weight: string;
      readonly isTooLarge: boolean;
    }
  /** A resource has both a weight and a group or layer. Remove the weight, or remove the group or layer. */
  | { readonly code: 'order-weight-in-group'; readonly resource: string }
  /** A resource needs another one, but that one already waits for the resource, so the edge is dropped. Correct the declaration. */
  | { readonly code: 'order-edge-dropped'; readonly resource: string; readonly needed: string; readonly why: string }
  /** A need cannot be read, or a chart names a URL, which only an order file may do. Correct the need, or move the need to an order file. */
  | {
      readonly code: 'order-need-invalid';
      readonly resource: string;
      readonly need: string;
      readonly isUrl: boolean;
      /** How needs are written. */
      readonly forms: string;
    }
  /** The whole release waits for an object that the release itself creates, so the wait never ends. Declare the need on the resources that need the object. */
  | { readonly code: 'order-need-own'; readonly need: string }
  /** The release was deployed with an order file, and this run has none. Pass the order file again, or declare the order in the chart. */
  | {
      readonly code: 'order-file-left-out';
      readonly release: string;
      readonly revision: number;
      readonly file: string;
    }
  /** A declaration is not a list of names. Write `["a", "b"]` or `a, b`. */
  | {
      readonly code: 'order-names-malformed';
      readonly key: string;
      readonly resource?: string | undefined;
      readonly subchart?: string | undefined;
      readonly mistake: NameListMistake;
    }
  /** An item of a List declares an order or a hook, which has no effect there. Move the item to a document of its own. */
  | { readonly code: 'order-in-list'; readonly list: string; readonly item: string; readonly key: string }
  /** A readiness annotation cannot be read, or can never become true. Correct the annotation. */
  | {
      readonly code: 'order-readiness-invalid';
      readonly resource: string;
      readonly key: string;
      /** Why it cannot be read. */
      readonly words?: Quote | undefined;
    }
  /**
   * An annotation of resources is in Chart.yaml, one of Chart.yaml is on a resource, or one of the chart that is deployed is
   * in a subchart's Chart.yaml. Use the key in `instead`.
   */
  | {
      readonly code: 'order-key-misplaced';
      readonly holder: string;
      readonly key: string;
      readonly instead: string;
      readonly belongsTo: 'resources' | 'Chart.yaml' | 'root Chart.yaml';
    }
  /** An annotation is unknown, but its name is similar to a known one. Correct the name of the annotation. */
  | {
      readonly code: 'order-key-unknown';
      readonly holder: string;
      readonly key: string;
      readonly meant: string;
      /** The key that is meant belongs there, not here. */
      readonly belongsTo?: 'Chart.yaml' | undefined;
    }
  /** Helm packaged a chart and probably dropped the order of its subcharts. Package the chart with tshelm, or declare the order in the annotation. */
  | {
      readonly code: 'order-lost';
      readonly chart: string;
      readonly key: string;
      /** What shows that there was an order. */
      readonly sign: OrderEvidence;
      /** The annotation's value if there is no order. */
      readonly none: string;
      /** Subcharts that would start after those that they may depend on. */
      readonly late?: readonly string[] | undefined;
      readonly after?: readonly string[] | undefined;
    }
  /** An ordered wait was asked for, and no chart declares an order. Declare the order in the annotation; Helm may have dropped the order from the charts in `packaged`. */
  | {
      readonly code: 'order-undeclared';
      readonly chart: string;
      readonly key: string;
      readonly packaged: readonly string[];
    }
  /** Helm drops a field of Chart.yaml that declares an order. Add the annotation in `key` with the value in `value`. */
  | { readonly code: 'order-field-dropped'; readonly field: string; readonly key: string; readonly value: string }
  /** An annotation of Chart.yaml is a YAML list, which Helm cannot load. Write the value as a string. */
  | { readonly code: 'order-annotation-list'; readonly key: string; readonly value: string }
  /** The annotation for parallel hooks has an unknown value. Use `false`, `otherChartsOnly` or `true`. */
  | { readonly code: 'hook-mode-unknown'; readonly key: string; readonly value: string }
  /** A hook has an annotation that orders resources, not hooks. Use helm.sh/hook-weight. */
  | { readonly code: 'hook-key-ignored'; readonly resource: string; readonly key: string; readonly instead: string }
  /** An event or a policy of a hook is unknown, so it has no effect. Use one of the values in `known`. */
  | {
      readonly code: 'hook-word-unknown';
      readonly resource: string;
      readonly key: string;
      readonly word: string;
      readonly known: readonly string[];
      readonly meant?: string | undefined;
      readonly isEvent: boolean;
    }
  /** A weight or a timeout of a hook is not a number, so the default is used. Write a whole number in quotes. */
  | {
      readonly code: 'hook-number-invalid';
      readonly resource: string;
      readonly key: string;
      readonly value: string;
      readonly why: 'not-whole' | 'too-large' | 'not-seconds' | 'zero';
      /** Absent where the key then has no effect. */
      readonly countsAs?: number | undefined;
    };

/** One step of a cycle, and what declares it. */
export interface OrderWait {
  readonly from: string;
  readonly to: string;
  /** Switched-off subcharts between the two. */
  readonly through: readonly string[];
  readonly key: string;
  readonly resource?: string | undefined;
  /** Absent where the key names its place. */
  readonly file?: string | undefined;
  readonly line?: number | undefined;
}

/** What shows that a chart has an order: its own annotation, or a declaration in or around it. */
export interface OrderEvidence {
  readonly kind: 'annotation' | 'resource' | 'subchart' | 'chart';
  readonly name: string;
}
