import type { FieldShape, Fields } from '../../stack/fields.ts';
import { stateType } from '../../stack/schema.ts';
import type { Shape } from './shape.ts';

function shapeOf(shape: FieldShape | undefined): Shape {
  if (shape === undefined) return { type: 'anything' };
  switch (shape.kind) {
    case 'struct':
      return { type: 'map', fields: () => fieldsOf(shape.fields) };
    case 'list':
    case 'map': {
      const item = shapeOf(shape.of);
      return { type: `${shape.kind} of ${item.type}`, item };
    }
    case 'choice':
      return { type: shape.words.join(' or '), words: shape.words };
    default:
      return { type: shape.kind };
  }
}

const fieldsOf = (fields: Fields): Readonly<Record<string, Shape>> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, { shape }]) => (shape?.kind === 'none' ? [] : [[name, shapeOf(shape)]])),
  );

/** helmfile.yaml. */
export const stateFile: Shape = shapeOf(stateType.shape);
