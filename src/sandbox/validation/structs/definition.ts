import { dns1035LabelProblem, dns1123SubdomainProblem } from '../../../kinds/names.ts';
import {
  equalJson,
  isJsonObject,
  type Json,
  type JsonObject,
  objectAt,
  objectsIn,
  plain,
  textOf,
} from '../../../support/json.ts';
import { isReadablePattern } from '../../schema/patterns.ts';
import { isPlainSchema } from '../../schema/plain-schema.ts';
import { type FieldProblem, forbiddenField, invalidValue, required, unsupportedValue } from '../../status.ts';
import {
  every,
  forbiddenIf,
  format,
  invalidIf,
  invalidText,
  isEmpty,
  needed,
  neededFormat,
  neededOneOf,
  oneOf,
  requiredIf,
  unsupportedUnless,
} from '../checks.ts';
import { defaultProblems } from '../custom.ts';
import { type Check, type StructRules, unread } from '../struct.ts';
import { reviewVersions } from './cluster.ts';

/** k8s.io/apiextensions-apiserver: pkg/apis/apiextensions/validation and pkg/apiserver/schema (ValidateStructural). */

const groupProblem = (group: string): string | undefined =>
  dns1123SubdomainProblem(group) ?? (group.includes('.') ? undefined : 'should be a domain with at least one dot');

const mixedCase = (name: string): string | undefined => {
  const problem = dns1035LabelProblem(name.toLowerCase());
  return problem === undefined ? undefined : `may have mixed case, but should otherwise match: ${problem}`;
};

const versions: Check = (value, path) => {
  const given = objectsIn(value);
  const names = given.map(({ name }) => name);
  const oneStored = 'must have exactly one version marked as storage version';
  return [
    ...invalidIf(new Set(names).size < names.length, path, value, 'must contain unique version names'),
    ...invalidIf(given.filter(({ storage }) => storage === true).length !== 1, path, value, oneStored),
    ...invalidIf(
      !given.some(({ storage }) => storage === true),
      'status.storedVersions',
      [],
      'must have at least one stored version',
    ),
    ...invalidText('spec.version', plain(names[0]), dns1035LabelProblem(plain(names[0]))),
  ];
};

const conversion: Check = (value, path) => {
  const { strategy, webhook } = (value ?? {}) as JsonObject;
  const { clientConfig, conversionReviewVersions } = isJsonObject(webhook) ? webhook : {};
  const client = `${path}.webhookClientConfig`;
  if (strategy === 'Webhook') {
    return [
      ...requiredIf(clientConfig === undefined, client, 'required when strategy is set to Webhook'),
      ...reviewVersions(conversionReviewVersions, `${path}.conversionReviewVersions`),
    ];
  }
  const isForeign = strategy === 'None' && clientConfig !== undefined;
  return [
    ...unsupportedUnless(strategy, `${path}.strategy`, 'None', 'Webhook'),
    ...forbiddenIf(isForeign, client, 'should not be set when strategy is not set to Webhook'),
  ];
};

const schemaTypes = ['array', 'boolean', 'integer', 'number', 'object', 'string'];

type Level = 'root' | 'item' | 'field';

const emptyType: Readonly<Record<Level, string>> = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
};

/** A schema is structural: each place has a type, and says the rest of itself apart from it. */
function schemaProblems(given: JsonObject, path: string, level: Level): FieldProblem[] {
  if (level !== 'root' && isPlainSchema(given)) return [];
  const { items, properties, additionalProperties } = given;
  const problems = problemsOfSchema(given, path, level);
  if (isJsonObject(items)) problems.push(...schemaProblems(items, `${path}.items`, 'item'));
  for (const [name, property] of Object.entries(isJsonObject(properties) ? properties : {})) {
    if (isJsonObject(property)) problems.push(...schemaProblems(property, `${path}.properties[${name}]`, 'field'));
  }
  if (isJsonObject(additionalProperties))
    problems.push(...schemaProblems(additionalProperties, `${path}.additionalProperties`, 'field'));
  if (level === 'root' && (additionalProperties ?? false) !== false)
    problems.push(forbiddenField(`${path}.additionalProperties`, 'must not be used at the root'));
  return problems;
}

function problemsOfSchema(given: JsonObject, path: string, level: Level): FieldProblem[] {
  const schema = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
  return [...typeProblems(schema, path, level), ...extensionProblems(schema, path), ...keywordProblems(schema, path)];
}

function typeProblems(schema: JsonObject, path: string, level: Level): FieldProblem[] {
  const type = textOf(schema.type) ?? '';
  const at = `${path}.type`;
  const isFree =
    schema['x-kubernetes-int-or-string'] === true || schema['x-kubernetes-preserve-unknown-fields'] === true;
  if (type === '') return requiredIf(!isFree, at, emptyType[level]);
  return [
    ...(schemaTypes.includes(type) ? [] : [unsupportedValue(at, type, schemaTypes)]),
    ...invalidIf(level === 'root' && type !== 'object', at, type, 'must be object at the root'),
    ...requiredIf(type === 'array' && schema.items === undefined, `${path}.items`, 'must be specified'),
  ];
}

function extensionProblems(schema: JsonObject, path: string): FieldProblem[] {
  const listType = schema['x-kubernetes-list-type'];
  const mapType = schema['x-kubernetes-map-type'];
  const keys = schema['x-kubernetes-list-map-keys'];
  const type = textOf(schema.type) ?? '';
  const listPath = `${path}.x-kubernetes-list-type`;
  const wrongType = (wanted: string, extension: string): FieldProblem[] => {
    const detail = `must be ${wanted} if ${extension} is specified`;
    if (type === wanted) return [];
    return type === '' ? [required(`${path}.type`, detail)] : [invalidValue(`${path}.type`, type, detail)];
  };
  const isMap = listType === 'map';
  return [
    ...(listType === undefined ? [] : wrongType('array', 'x-kubernetes-list-type')),
    ...(mapType === undefined ? [] : wrongType('object', 'x-kubernetes-map-type')),
    ...oneOf('atomic', 'set', 'map')(listType, listPath, {} as never),
    ...oneOf('atomic', 'granular')(mapType, `${path}.x-kubernetes-map-type`, {} as never),
    ...requiredIf(
      isMap && isEmpty(keys),
      `${path}.x-kubernetes-list-map-keys`,
      'must not be empty if x-kubernetes-list-type is map',
    ),
    ...requiredIf(
      isMap && schema.items === undefined,
      `${path}.items`,
      'must have a schema if x-kubernetes-list-type is map',
    ),
    ...invalidIf(
      isMap && isJsonObject(schema.items) && schema.items.type !== 'object',
      `${path}.items.type`,
      objectAt(schema, 'items')?.type,
      "must be object if parent array's x-kubernetes-list-type is map",
    ),
    ...requiredIf(
      !isEmpty(keys) && listType === undefined,
      listPath,
      'must be map if x-kubernetes-list-map-keys is non-empty',
    ),
  ];
}

/** How a schema for both says so in the words of OpenAPI. */
const intOrString = [{ type: 'integer' }, { type: 'string' }];
const nested = ['allOf', 'anyOf', 'oneOf'];

function keywordProblems(schema: JsonObject, path: string): FieldProblem[] {
  const { pattern, uniqueItems, additionalProperties, properties, items } = schema;
  const isIntOrString =
    schema['x-kubernetes-int-or-string'] === true &&
    (equalJson(schema.anyOf, intOrString) || schema.allOf !== undefined);
  const forbidden = ['$ref', 'definitions', 'dependencies', 'id', 'patternProperties'].filter(
    (name) => !isEmpty(schema[name]),
  );
  const isMixed = !isEmpty(properties) && additionalProperties !== undefined && additionalProperties !== true;
  const branches = [
    ...nested.flatMap((name) =>
      objectsIn(schema[name]).map((branch, index) => [branch, `${path}.${name}[${index}]`] as const),
    ),
    ...(isJsonObject(schema.not) ? [[schema.not, `${path}.not`] as const] : []),
  ];
  return [
    ...forbiddenIf(Array.isArray(items), `${path}.items`, 'items must be a schema object and not an array'),
    ...problemsOfDefault(schema, path),
    ...invalidIf(
      typeof pattern === 'string' && !isReadablePattern(pattern),
      `${path}.pattern`,
      pattern,
      "must be a valid regular expression, but isn't",
    ),
    ...forbiddenIf(
      uniqueItems === true,
      `${path}.uniqueItems`,
      'uniqueItems cannot be set to true since the runtime complexity becomes quadratic',
    ),
    ...forbiddenIf(isMixed, `${path}.additionalProperties`, 'additionalProperties and properties are mutual exclusive'),
    ...forbidden.map((name) => forbiddenField(`${path}.${name}`, `${name} is not supported`)),
    ...branches.flatMap(([branch, at]) =>
      forbiddenIf(!isIntOrString && !isEmpty(branch.type), `${at}.type`, 'must be empty to be structural'),
    ),
  ];
}

/** A default is a value of its own schema. */
const problemsOfDefault = (schema: JsonObject, path: string): FieldProblem[] =>
  schema.default === undefined
    ? []
    : defaultProblems(schema, schema.default).map((problem) => ({
        ...problem,
        field: `${path}.default${problem.field === '' ? '' : `.${problem.field}`}`,
      }));

const schema: Check = (value, path) => {
  if (!isJsonObject(value)) return [required(path)];
  const isJudged = isPlainSchema(value) && value.type === 'object' && value.additionalProperties === undefined;
  return isJudged ? unread : schemaProblems(value, path, 'root');
};

const columnFormats = ['', 'byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];
const columnTypes = ['boolean', 'date', 'integer', 'number', 'string'];

/** Kubernetes writes this field in capitals. */
const columnPath: Check = (value, path) => {
  const at = path.replace(/jsonPath$/, 'JSONPath');
  return isEmpty(value) ? [required(at)] : simplePath('.')(value, at);
};

const simplePath =
  (...roots: readonly string[]) =>
  (value: Json | undefined, path: string): FieldProblem[] => {
    const text = textOf(value) ?? '';
    if (text === '') return [required(path)];
    if (!text.startsWith('.')) return [invalidValue(path, text, 'must be a simple json path starting with .')];
    const isBelow = roots.some((root) => text.startsWith(root));
    return invalidIf(
      !isBelow,
      path,
      text,
      `should be a json path under ${roots.map((root) => root.slice(0, -1)).join(' or ')}`,
    );
  };

const scale: StructRules = {
  specReplicasPath: simplePath('.spec.'),
  statusReplicasPath: simplePath('.status.'),
  labelSelectorPath: (value, path) => (isEmpty(value) ? [] : simplePath('.spec.', '.status.')(value, path)),
};

/**
 * Where the server says what is wrong: it keeps what all versions share beside them, and looks at it there. Kubernetes'
 * conversion to its internal CustomResourceDefinition.
 */
export function internalPaths(object: JsonObject, problems: readonly FieldProblem[]): FieldProblem[] {
  const all = objectsIn(objectAt(object, 'spec')?.versions);
  const shared = Object.entries(sharedFields).filter(([field]) =>
    all.every((version) => version[field] !== undefined && equalJson(version[field], all[0]?.[field])),
  );
  return problems.flatMap((problem) => {
    const [, index, field = '', rest] = /^spec\.versions\[(\d+)\]\.(\w+)(.*)$/.exec(problem.field) ?? [];
    const to = shared.find(([name]) => name === field)?.[1];
    if (to === undefined) return [problem];
    return index === '0' ? [{ ...problem, field: `spec.${to}${rest}` }] : [];
  });
}

const sharedFields: Readonly<Record<string, string>> = {
  schema: 'validation',
  subresources: 'subresources',
  additionalPrinterColumns: 'additionalPrinterColumns',
};

export const definitionStructs: Readonly<Record<string, StructRules>> = {
  CustomResourceDefinition: {
    '': (value, _path) => {
      const { metadata, spec } = value as JsonObject;
      const name = plain((metadata as JsonObject | undefined)?.name);
      const wanted = `${plain(objectAt(value as JsonObject, 'spec', 'names')?.plural)}.${plain((spec as JsonObject | undefined)?.group)}`;
      return invalidIf(name !== wanted, 'metadata.name', name, 'must be spec.names.plural+"."+spec.group');
    },
  },
  CustomResourceDefinitionSpec: {
    group: neededFormat(groupProblem),
    scope: neededOneOf('Cluster', 'Namespaced'),
    versions,
    names: () => [],
    preserveUnknownFields: (value, path) =>
      invalidIf(
        value === true,
        path,
        value,
        'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead',
      ),
    conversion,
  },
  CustomResourceDefinitionNames: {
    plural: every(needed(), format(dns1035LabelProblem)),
    singular: every(needed(), format(dns1035LabelProblem)),
    kind: neededFormat(mixedCase),
    listKind: every(neededFormat(mixedCase), (value, path, { value: { kind } }) =>
      invalidIf(!isEmpty(kind) && kind === value, path, value, 'kind and listKind may not be the same'),
    ),
    shortNames: (value, path) =>
      (Array.isArray(value) ? value : []).flatMap((name, index) =>
        invalidText(`${path}[${index}]`, plain(name), dns1035LabelProblem(plain(name))),
      ),
  },
  CustomResourceDefinitionVersion: {
    name: (value, path) => invalidText(path, plain(value), dns1035LabelProblem(plain(value))),
    schema: (value, path) => requiredIf(!isJsonObject(value), `${path}.openAPIV3Schema`),
  },
  CustomResourceValidation: { openAPIV3Schema: schema },
  // What is below has rules of its own in the validations alone.
  JSONSchemaProps: { '': (value) => (isPlainSchema(value) ? unread : []) },
  CustomResourceSubresourceScale: scale,
  CustomResourceColumnDefinition: {
    name: needed(),
    type: every(needed(), (value, path) =>
      invalidIf(
        !isEmpty(value) && !columnTypes.includes(plain(value)),
        path,
        value,
        `must be one of ${columnTypes.join(',')}`,
      ),
    ),
    format: (value, path) =>
      invalidIf(
        !columnFormats.includes(plain(value)),
        path,
        value,
        `must be one of ${columnFormats.slice(1).join(',')}`,
      ),
    jsonPath: columnPath,
  },
};
