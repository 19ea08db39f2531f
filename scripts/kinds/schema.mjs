import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { apiVersionOf, defaultMinor, kubernetesFolder, merged, minors } from './modules.mjs';
import { discovered, isServed } from './served.mjs';

const wholeTypes = {
  'io.k8s.apimachinery.pkg.api.resource.Quantity': 'u',
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString': 'q',
  'io.k8s.apimachinery.pkg.apis.meta.v1.Time': 's',
  'io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime': 's',
  'io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1': 'x',
  'io.k8s.apimachinery.pkg.runtime.RawExtension': 'x',
};

/** What src/kinds/data.ts keeps: the kinds that are served by default and the types of their fields, of all versions. */
export function schemaData() {
  const specifications = new Map(minors.map((minor) => [minor, readSpecification(minor)]));
  const numbers = new Map();
  const names = [];
  const numberOf = (name) => {
    if (!numbers.has(name)) {
      numbers.set(name, names.length);
      names.push(name);
    }
    return numbers.get(name);
  };
  // The default version first: its definitions keep their numbers when another version is added.
  const order = [defaultMinor, ...minors.filter((minor) => minor !== defaultMinor)];
  const keys = new Set(order.flatMap((minor) => [...specifications.get(minor).kinds.keys()]));
  const kinds = mergedFields(keys, (key, minor) => {
    const name = specifications.get(minor).kinds.get(key);
    return name === undefined ? undefined : `#${numberOf(name)}`;
  });
  const definitions = [];
  for (let number = 0; number < names.length; number++) {
    definitions.push(
      mergedDefinition(
        names[number],
        order.map((minor) => specifications.get(minor)),
        numberOf,
      ),
    );
  }
  return { kinds, definitions };
}

/** The parts of Kubernetes' OpenAPI documents that count here. */
function readSpecification(minor) {
  const folder = join(kubernetesFolder(minor), 'api/openapi-spec');
  const { definitions } = JSON.parse(readFileSync(join(folder, 'swagger.json'), 'utf8'));
  // Only the v3 documents tell structs from pointers to structs: a struct has the default {}.
  const schemas = {};
  for (const file of readdirSync(join(folder, 'v3'))) {
    Object.assign(schemas, JSON.parse(readFileSync(join(folder, 'v3', file), 'utf8')).components?.schemas);
  }
  const served = new Set(discovered(minor).filter(isServed).map(keyOf));
  const kinds = new Map();
  for (const [name, definition] of Object.entries(definitions)) {
    for (const id of definition['x-kubernetes-group-version-kind'] ?? []) {
      if (served.has(keyOf(id))) kinds.set(keyOf(id), name);
    }
  }
  return { minor, definitions, schemas, kinds };
}

const keyOf = ({ group, version, kind }) => `${apiVersionOf(group, version)} ${kind}`;

function mergedFields(keys, textOf) {
  const fields = {};
  for (const key of keys) fields[key] = merged((minor) => textOf(key, minor));
  return fields;
}

function mergedDefinition(name, specifications, numberOf) {
  const having = specifications.filter(({ definitions }) => definitions[name] !== undefined);
  const shortNames = new Set(having.map(({ definitions }) => shortName(name, definitions[name])));
  if (shortNames.size !== 1) throw new Error(`${name} is atomic in some versions only`);
  const keys = new Set(having.flatMap(({ definitions }) => Object.keys(definitions[name].properties)));
  const texts = new Map(
    having.map((specification) => [specification.minor, fieldTexts(name, specification, numberOf)]),
  );
  // Of a definition that a version does not have, no field counts: nothing refers to it there.
  const nearest = (minor) =>
    texts.get(minor) ??
    texts.get(having.map((other) => other.minor).sort((a, b) => Math.abs(a - minor) - Math.abs(b - minor))[0]);
  return [[...shortNames][0], mergedFields(keys, (key, minor) => nearest(minor)[key])];
}

const shortName = (name, definition) =>
  name.split('.').at(-1) + (definition['x-kubernetes-map-type'] === 'atomic' ? '!' : '');

function fieldTexts(name, specification, numberOf) {
  const typeText = typeTexts(specification.definitions, numberOf);
  const texts = {};
  for (const [field, property] of Object.entries(specification.definitions[name].properties)) {
    const retains = property.type !== 'array' && patchStrategy(property) === '^' ? '^' : '';
    texts[field] = (isAlwaysThere(name, field, specification) ? '.' : '') + retains + typeText(property);
  }
  return texts;
}

/** Whether the field is there in the JSON of every object: a struct, or a list that is required. */
function isAlwaysThere(name, field, { definitions, schemas }) {
  const property = definitions[name].properties[field];
  if (property.$ref !== undefined) return JSON.stringify(schemas[name]?.properties?.[field]?.default) === '{}';
  return property.type === 'array' && definitions[name].required?.includes(field) === true;
}

function typeTexts(definitions, numberOf) {
  function typeText(property) {
    if (property.$ref !== undefined) return refText(property.$ref.slice('#/definitions/'.length));
    switch (property.type) {
      case 'string':
        return property.format === 'int-or-string' ? 'q' : property.format === 'byte' ? 'y' : 's';
      case 'integer':
        return property.format === 'int64' ? 'l' : 'i';
      case 'number':
        return 'n';
      case 'boolean':
        return 'b';
      case 'array':
        return `[${listRelation(property)}]${typeText(property.items)}`;
      case 'object':
        if (property.additionalProperties === undefined) return 'x';
        return `{${property['x-kubernetes-map-type'] === 'atomic' ? '!' : ''}}${typeText(property.additionalProperties)}`;
      default:
        return 'x';
    }
  }
  function refText(name) {
    if (wholeTypes[name] !== undefined) return wholeTypes[name];
    const definition = definitions[name];
    if (definition.properties === undefined && definition.type !== 'object') return typeText(definition);
    if (definition.properties === undefined) return 'x';
    return `#${numberOf(name)}`;
  }
  return typeText;
}

function listRelation(property) {
  const type = property['x-kubernetes-list-type'];
  const relation = type === 'map' ? property['x-kubernetes-list-map-keys'].join(',') : type === 'set' ? '=' : '';
  return relation + patchStrategy(property);
}

function patchStrategy(property) {
  const strategy = property['x-kubernetes-patch-strategy'] ?? '';
  const merge = strategy.includes('merge') ? `|${property['x-kubernetes-patch-merge-key'] ?? ''}` : '';
  return merge + (strategy.includes('retainKeys') ? '^' : '');
}
