import schema from '../../../docs/order.schema.json' with { type: 'json' };
import type { Shape } from './shape.ts';

/** What docs/order.schema.json uses of JSON Schema to say what may appear somewhere. */
interface Schema {
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

const definitions: Readonly<Record<string, Schema>> = schema.$defs;

function shapeOf(given: Schema, text = given.description): Shape {
  const { $ref, oneOf, properties, items, type, enum: values } = given;
  if ($ref !== undefined) return shapeOf(definitions[$ref.slice('#/$defs/'.length)] ?? {}, text);
  if (oneOf !== undefined)
    return either(
      oneOf.map((one) => shapeOf(one)),
      text,
    );
  if (properties !== undefined) {
    return {
      type: 'map',
      text,
      fields: () => Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, shapeOf(field)])),
    };
  }
  if (items !== undefined) {
    const item = shapeOf(items);
    return { type: `list of ${item.type}`, text, item };
  }
  if (values !== undefined) {
    const words = [...new Set(values.map(String))];
    return { type: words.join(' or '), text, words };
  }
  if (type === 'boolean') return { type: 'true or false', text, words: ['true', 'false'] };
  return { type: type === 'string' ? 'text' : type === 'integer' ? 'number' : 'map', text };
}

/** What may be written in several forms. */
function either(forms: readonly Shape[], text: string | undefined): Shape {
  const fields = forms.flatMap((form) => (form.fields === undefined ? [] : [form.fields()]));
  return {
    type: [...new Set(forms.map(({ type }) => type))].join(' or '),
    text,
    fields: fields.length === 0 ? undefined : () => Object.assign({}, ...fields),
    item: forms.find(({ item }) => item !== undefined)?.item,
  };
}

/** An order file (docs/ordering.md, 8). */
export const orderFile: Shape = shapeOf(schema);
