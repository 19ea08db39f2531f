import type { FieldPath } from '../manifest/field-path.ts';
import type { ResourceId } from '../manifest/types.ts';

/** A place that may have to be changed. Lines and columns count from 1. */
export type Place =
  /** A line of a template: `shop/charts/db/templates/db.yaml`, with the charts before it. */
  | {
      readonly kind: 'template';
      readonly file: string;
      readonly line?: number | undefined;
      readonly column?: number | undefined;
      /** The text of the line, unless it may be a secret. */
      readonly written?: string | undefined;
      /** The field of an object that this line wrote. */
      readonly field?: FieldPath | undefined;
      /** The object that has the field, where it is not the problem's subject. */
      readonly of?: ResourceId | undefined;
      /** The line is one of a helper that the place before includes. */
      readonly isHelper?: true | undefined;
    }
  /** A value, and where it is set, as far as that is known. */
  | {
      readonly kind: 'value';
      /** From the outermost chart. */
      readonly keys: readonly string[];
      /** What it is, where that can be shown in a few words and is no secret: `8080`, `"two"`. */
      readonly text?: string | undefined;
      readonly file?: string | undefined;
      readonly line?: number | undefined;
      /** The flag of the command line that gave it: `--set`. */
      readonly flag?: string | undefined;
      /** The user's own file of values, where another one can be set. */
      readonly ownFile?: string | undefined;
    }
  /** A field of an object, where no line of a template is known for it. */
  | { readonly kind: 'field'; readonly object: ResourceId; readonly path: FieldPath }
  /** A line of another file: Chart.yaml, values.schema.json, a file of -f. */
  | {
      readonly kind: 'file';
      readonly file: string;
      readonly line?: number | undefined;
      readonly column?: number | undefined;
    };
