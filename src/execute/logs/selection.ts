import type { KubernetesObject, ResourceId } from '../../manifest/types.ts';

/** Whose lines are shown: of all pods where neither is given. */
export interface LogSelection {
  /** Those of these objects and hooks. */
  readonly objects?: readonly NamedObject[] | undefined;
  /** Those of pods that a label selector chooses. */
  readonly isOfPod?: ((pod: KubernetesObject) => boolean) | undefined;
}

export interface NamedObject {
  /** As the user named it: `Deployment/web`. */
  readonly name: string;
  readonly isMeant: (id: ResourceId) => boolean;
}

export const isOfSelection = (id: ResourceId, { objects }: LogSelection): boolean =>
  objects === undefined || objects.some(({ isMeant }) => isMeant(id));

/** The names that none of these objects has. */
export const unknownNames = (ids: readonly ResourceId[], { objects = [] }: LogSelection): readonly string[] =>
  objects.filter(({ isMeant }) => !ids.some(isMeant)).map(({ name }) => name);
