import type { FieldPath } from '../manifest/field-path.ts';
import type { ResourceId } from '../manifest/types.ts';

/** What to do about a problem, as data: a terminal prints flags, the library options, GitHub a suggestion. */
export type Remedy =
  /** An option of the action, by its name in the library: `forceConflicts`. */
  | {
      readonly kind: 'set-option';
      readonly option: string;
      /** Default: it is switched on. */
      readonly value?: string | undefined;
      /** Of an option that is a list, the other values that are needed with the first one. */
      readonly alsoValues?: readonly string[] | undefined;
      /** Options that it needs. */
      readonly alsoSet?: Readonly<Record<string, string>> | undefined;
    }
  | {
      readonly kind: 'set-value';
      readonly keys: readonly string[];
      readonly value?: string | undefined;
      /** What a schema asks of it. */
      readonly allowed?: AllowedValue | undefined;
      /** The user's own file of values, where it can be set. */
      readonly ownFile?: string | undefined;
      /** What a field says then, where that is another text. */
      readonly makes?: string | undefined;
    }
  | {
      readonly kind: 'change-field';
      readonly object: ResourceId;
      readonly path: FieldPath;
      /** What it says now. */
      readonly instead?: string | undefined;
      /** What the field should say, where that is known. */
      readonly value?: string | undefined;
      /** What it may say as well. */
      readonly or?: string | undefined;
      /** The value that the field shows, or is empty for, where there is one. */
      readonly keys?: readonly string[] | undefined;
      /** How it should change, where the value is the user's choice. */
      readonly how?: 'raise' | 'lower' | 'add' | 'remove' | 'correct' | 'rename' | undefined;
    }
  /** A field should have a value of this type. */
  | {
      readonly kind: 'change-type';
      readonly object: ResourceId;
      readonly path: FieldPath;
      /** The only value that the field is made of, where there is one. */
      readonly keys?: readonly string[] | undefined;
      readonly type: FieldType;
      /** What it says now. */
      readonly value?: string | undefined;
    }
  /** A field belongs below another one. */
  | {
      readonly kind: 'indent';
      readonly object: ResourceId;
      readonly path: FieldPath;
      /** The field that it belongs to, or several that it may belong to. */
      readonly below: readonly FieldPath[];
      /** How the template indents it, and how it should: `nindent 2`, `nindent 4`. */
      readonly from?: string | undefined;
      readonly to?: string | undefined;
    }
  | { readonly kind: 'delete-object'; readonly object: ResourceId }
  | {
      readonly kind: 'create-object';
      readonly object: Pick<ResourceId, 'kind' | 'name'> & Partial<ResourceId>;
      readonly keys?: readonly string[] | undefined;
      /** Of a Secret: `kubernetes.io/dockerconfigjson`. */
      readonly type?: string | undefined;
    }
  /** An object of the release that something needs before its turn. */
  | { readonly kind: 'apply-earlier'; readonly object: ResourceId; readonly neededBy: ResourceId }
  /** A line of a template or a file that should read otherwise. */
  | {
      readonly kind: 'change-text';
      readonly file: string;
      readonly line: number;
      readonly from: string;
      readonly to: string;
    }
  /** A name of the release that was probably meant. */
  | {
      readonly kind: 'use-name';
      readonly name: string;
      readonly instead: string;
      readonly of?: ResourceId | undefined;
      /** It is only nearly the same name. */
      readonly isGuess?: true | undefined;
      /** Two places name the same thing differently, and either may be the wrong one. */
      readonly isEither?: true | undefined;
    }
  /** A rule for fields (takeFields) that forbids what the run does: `Deployment/web:spec.replicas=fail`. */
  | { readonly kind: 'drop-rule'; readonly rule: string }
  /** A command of tshelm: `dependency update`. */
  | {
      readonly kind: 'run';
      readonly verb: string;
      readonly arguments: readonly string[];
      /** Of a command that works on releases: where they are. */
      readonly namespace?: string | undefined;
    }
  /** Something outside of the release: push an image, add a node, free a quota. */
  | { readonly kind: 'outside'; readonly what: OutsideStep; readonly name?: string | undefined };

export type FieldType = 'string' | 'number' | 'integer' | 'scalar' | 'boolean' | 'list' | 'map';

/** What a values.schema.json asks of a value. */
export interface AllowedValue {
  readonly types?: readonly string[] | undefined;
  /** As JSON. */
  readonly choice?: readonly string[] | undefined;
  readonly pattern?: string | undefined;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  readonly minLength?: number | undefined;
  /** As JSON. */
  readonly example?: string | undefined;
}

/** Steps that neither the chart nor a flag takes. */
export type OutsideStep =
  | 'push-image'
  | 'add-node'
  | 'raise-quota'
  | 'install-crd'
  | 'create-storage-class'
  | 'provide-volume'
  | 'read-log'
  | 'fix-program'
  | 'ask-for-rights'
  | 'check-registry'
  | 'fix-dns'
  | 'decrypt-value';
