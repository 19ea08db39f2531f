import type { Type } from '../../kinds/field-types.ts';
import { isJsonObject, type Json, type JsonObject, objectAt, objectsIn, textOf } from '../../support/json.ts';
import type { Resource } from '../resource.ts';
import { customType } from '../schema/custom.ts';
import type { Kind } from './kind.ts';

const customVerbs = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];

/** The kinds that a CustomResourceDefinition serves: one for each version with `served`. */
export function customKinds(definition: Resource): Kind[] {
  const spec = objectAt(definition, 'spec') ?? {};
  return objectsIn(spec.versions)
    .filter((version) => version.served === true)
    .map((version) => customKind(spec, version));
}

function customKind(spec: JsonObject, version: JsonObject): Kind {
  const names = objectAt(spec, 'names') ?? {};
  const kind = textOf(names.kind) ?? '';
  const subresources = objectAt(version, 'subresources') ?? {};
  let type: Type | undefined;
  return {
    group: textOf(spec.group) ?? '',
    version: textOf(version.name) ?? '',
    kind,
    listKind: textOf(names.listKind) ?? `${kind}List`,
    plural: textOf(names.plural) ?? '',
    singular: textOf(names.singular) ?? kind.toLowerCase(),
    shortNames: texts(names.shortNames),
    categories: texts(names.categories),
    namespaced: spec.scope === 'Namespaced',
    verbs: customVerbs,
    subresources: ['status', 'scale'].filter((name) => isJsonObject(subresources[name])),
    countsGenerations: true,
    type: () => {
      type ??= customType(objectAt(version, 'schema', 'openAPIV3Schema'));
      return type;
    },
    custom: version,
  };
}

const texts = (value: Json | undefined): string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
