/** What is wrong with an object in the versions of Kubernetes that were asked about: those of `versions`, such as `1.37`. */
export type VersionFact =
  /** Kubernetes no longer has the kind in this API version. Write the API version in `replacement`; without one, remove the object. */
  | {
      readonly code: 'kind-removed';
      readonly apiVersion: string;
      readonly kind: string;
      readonly since: string;
      readonly versions: readonly string[];
      readonly replacement?: Replacement | undefined;
    }
  /** The API version of the kind is deprecated, and Kubernetes may remove it. Write the API version in `replacement`. */
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
  /** Kubernetes has the kind in this API version only later. Create the object only where `.Capabilities.APIVersions` has it. */
  | {
      readonly code: 'kind-not-yet';
      readonly apiVersion: string;
      readonly kind: string;
      readonly since: string;
      readonly versions: readonly string[];
    }
  /** An API server serves this alpha or beta version only if it is told to. Write the API version in `replacement`, or enable it (`--runtime-config`). */
  | {
      readonly code: 'kind-not-enabled';
      readonly apiVersion: string;
      readonly kind: string;
      readonly versions: readonly string[];
      readonly replacement?: Replacement | undefined;
    }
  /** Kubernetes no longer has the field. Remove it. */
  | {
      readonly code: 'field-removed';
      readonly field: string;
      readonly since: string;
      readonly versions: readonly string[];
    }
  /** Kubernetes has the field only later. Set it only where `.Capabilities.KubeVersion` is new enough. */
  | {
      readonly code: 'field-not-yet';
      readonly field: string;
      readonly since: string;
      readonly versions: readonly string[];
    }
  /** The field, annotation or label is deprecated. Use what Kubernetes has instead. */
  | {
      readonly code: 'field-deprecated';
      readonly field: string;
      readonly since?: string | undefined;
      /** The CSI driver to use instead. */
      readonly driver?: string | undefined;
      readonly versions: readonly string[];
    }
  /** The field or annotation no longer has an effect. Use what Kubernetes has instead. */
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
