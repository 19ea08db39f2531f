/** What is wrong with an object in the versions of Kubernetes that were asked about: those of `versions`, such as `1.37`. */
export type VersionFact =
  /** Kubernetes no longer has the kind in this API version. Use the API version in `replacement`; if there is none, remove the object. */
  | {
      readonly code: 'kind-removed';
      readonly apiVersion: string;
      readonly kind: string;
      readonly since: string;
      readonly versions: readonly string[];
      readonly replacement?: Replacement | undefined;
    }
  /** The API version of the kind is deprecated, and Kubernetes may remove it. Use the API version in `replacement`. */
  | {
      readonly code: 'kind-deprecated';
      readonly apiVersion: string;
      readonly kind: string;
      readonly since: string;
      /** When Kubernetes removes it, where that is decided. */
      readonly removed?: string | undefined;
      readonly versions: readonly string[];
      readonly replacement?: Replacement | undefined;
    }
  /** Only later versions of Kubernetes have the kind in this API version. Create the object only where `.Capabilities.APIVersions` has it. */
  | {
      readonly code: 'kind-not-yet';
      readonly apiVersion: string;
      readonly kind: string;
      readonly since: string;
      readonly versions: readonly string[];
    }
  /** An API server does not serve this alpha or beta version by default. Use the API version in `replacement`, or enable this version on the API server (`--runtime-config`). */
  | {
      readonly code: 'kind-not-enabled';
      readonly apiVersion: string;
      readonly kind: string;
      readonly versions: readonly string[];
      readonly replacement?: Replacement | undefined;
    }
  /** Kubernetes no longer has the field. Remove the field. */
  | {
      readonly code: 'field-removed';
      readonly field: string;
      readonly since: string;
      readonly versions: readonly string[];
    }
  /** Only later versions of Kubernetes have the field. Set the field only where `.Capabilities.KubeVersion` is new enough. */
  | {
      readonly code: 'field-not-yet';
      readonly field: string;
      readonly since: string;
      readonly versions: readonly string[];
    }
  /** The field, annotation or label is deprecated. Remove it, or use what the Kubernetes documentation recommends instead. */
  | {
      readonly code: 'field-deprecated';
      readonly field: string;
      readonly since?: string | undefined;
      /** The CSI driver to use instead. */
      readonly driver?: string | undefined;
      readonly versions: readonly string[];
    }
  /** The field or annotation no longer has an effect. Remove it, or use what the Kubernetes documentation recommends instead. */
  | {
      readonly code: 'field-inactive';
      readonly field: string;
      readonly since: string;
      readonly versions: readonly string[];
    };

/** What the newest of the versions serves instead, and since when. */
export interface Replacement {
  readonly apiVersion: string;
  readonly kind: string;
  readonly since: string;
}
