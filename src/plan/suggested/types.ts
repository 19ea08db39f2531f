import type { FieldPath } from '../../manifest/field-path.ts';
import type { Item } from '../derived/object-index.ts';

/** Why one workload should wait for another one. */
export interface Evidence {
  readonly user: Item;
  readonly needed: Item;
  /** The object whose field says so: the workload itself, or a ConfigMap that it reads. */
  readonly holder: Item;
  readonly path: FieldPath;
  /** What is there: a host. */
  readonly word: string;
  /** For people: `names db in env DATABASE_HOST`. */
  readonly text: string;
  /** An init container waits for it, or a run shows that the user failed without it: then the other way round is none. */
  readonly isWaitedFor: boolean;
}

/** A text of a workload, or of what its pods read. */
export interface Text {
  readonly holder: Item;
  readonly path: FieldPath;
  /** The name of a variable, or of a file. */
  readonly key: string;
  readonly place: string;
  readonly value: string;
  readonly isOfInit: boolean;
}
