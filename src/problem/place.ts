import type { FieldPath } from '../manifest/field-path.ts';
import type { ResourceId } from '../manifest/types.ts';

/** A place that may have to be changed. Lines and columns count from 1. */
export type Place = FieldPlace | TemplatePlace | ValuePlace | FilePlace;

/** A field of an object, with the lines that wrote it and the values in them, as far as they are known. */
export interface FieldPlace {
  readonly kind: 'field';
  readonly object: ResourceId;
  /** The template of that object, with the charts before it: `shop/templates/web.yaml`; '' where none made it. */
  readonly template: string;
  readonly path: FieldPath;
  /** The word in it that is wrong, where it is not the whole. */
  readonly word?: string | undefined;
  /** The line of a template that wrote it, then lines of the helpers that this line includes. */
  readonly lines?: readonly TemplatePlace[] | undefined;
  /** The values that it was made of. */
  readonly values?: readonly ValuePlace[] | undefined;
}

/** A line of a template: `shop/charts/db/templates/db.yaml`, with the charts before it. */
export interface TemplatePlace {
  readonly kind: 'template';
  readonly file: string;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  /** The text of the line, unless it may be a secret. */
  readonly written?: string | undefined;
}

/** A value, and where it is set, as far as that is known: in a chart's values.yaml, or by the user. */
export interface ValuePlace {
  readonly kind: 'value';
  /** From the outermost chart. */
  readonly keys: readonly string[];
  /** What it is, where that can be shown in a few words and is no secret: `8080`, `"two"`. */
  readonly text?: string | undefined;
  /** The user gave it, in `file` or by `flag` where that is known. */
  readonly isGiven?: true | undefined;
  readonly file?: string | undefined;
  readonly line?: number | undefined;
  /** The flag of the command line that gave it. */
  readonly flag?: string | undefined;
  /** The user's own file of values, where another one can be set. */
  readonly ownFile?: string | undefined;
}

/** A line of another file: Chart.yaml, values.schema.json, a file of -f. */
export interface FilePlace {
  readonly kind: 'file';
  readonly file: string;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  /** The text of the line, unless it may be a secret. */
  readonly written?: string | undefined;
}

/** Those of a problem that are fields of objects. */
export const fieldsIn = (places: readonly Place[]): readonly FieldPlace[] =>
  places.filter((place) => place.kind === 'field');
