import { isJsonObject, type Json, type JsonObject, plain } from '../../support/json.ts';

/** The value at a printer column's path: `.status.conditions[?(@.type=="Ready")].status`, `.spec.ports[0].name`. */
export function jsonPathValue(object: JsonObject, path: string): Json | undefined {
  let values: Json[] = [object];
  for (const step of stepsOf(path)) {
    values = values.flatMap((value) => follow(value, step));
    if (values.length === 0) return undefined;
  }
  return values[0];
}

const stepPattern =
  /\.?\[\?\(@\.([^=\s]+)\s*==\s*["']?([^"')]*)["']?\)\]|\[(\d+|\*)\]|\["([^"]+)"\]|\['([^']+)'\]|\.?((?:[^.[\\]|\\.)+)/g;

type Step =
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'index'; readonly index: number }
  | { readonly kind: 'all' }
  | { readonly kind: 'where'; readonly keys: readonly string[]; readonly value: string };

function stepsOf(path: string): Step[] {
  return [...path.replace(/^\{|\}$/g, '').matchAll(stepPattern)].map(([, where, value, index, quoted, single, key]) => {
    if (where !== undefined) return { kind: 'where', keys: where.split('.'), value: value as string };
    if (index === '*') return { kind: 'all' };
    if (index !== undefined) return { kind: 'index', index: Number(index) };
    return { kind: 'key', key: quoted ?? single ?? (key as string).replace(/\\(.)/g, '$1') };
  });
}

function follow(value: Json, step: Step): Json[] {
  switch (step.kind) {
    case 'key': {
      const next = isJsonObject(value) ? value[step.key] : undefined;
      return next === undefined || next === null ? [] : [next];
    }
    case 'index': {
      const next = Array.isArray(value) ? value[step.index] : undefined;
      return next === undefined ? [] : [next];
    }
    case 'all':
      return Array.isArray(value) ? value : isJsonObject(value) ? (Object.values(value) as Json[]) : [];
    case 'where':
      if (!Array.isArray(value)) return [];
      return value.filter((item) => {
        const at = step.keys.reduce<Json | undefined>(
          (found, key) => (isJsonObject(found) ? found[key] : undefined),
          item,
        );
        return plain(at) === step.value;
      });
  }
}
