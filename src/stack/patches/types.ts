/** What a release changes in what its chart renders, in the order in which it is done. */
export interface ReleasePatches {
  readonly jsonPatches: readonly JsonPatch[];
  readonly strategicMergePatches: readonly MergePatch[];
  /** Configurations of kustomize's transformers, as YAML. */
  readonly transformers: readonly string[];
}

/** Operations of RFC 6902 for all objects that a target fits. */
export interface JsonPatch {
  /** Kustomize's selector: regular expressions for whole texts, and selectors of labels and annotations. */
  readonly target: Readonly<Record<string, string>>;
  readonly operations: readonly unknown[];
  /** Where it is, for messages: `jsonPatches[0]`. */
  readonly where: string;
}

/** A part of the object that it names. */
export interface MergePatch {
  readonly object: Readonly<Record<string, unknown>>;
  readonly where: string;
}
