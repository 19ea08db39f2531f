import { splitFragment } from './location.ts';

/** A version of JSON Schema. */
export interface Draft {
  readonly version: 4 | 6 | 7 | 2019 | 2020;
  readonly url: string;
  /** The keyword that names a schema. */
  readonly id: 'id' | '$id';
  /** Where a schema has schemas: a keyword, and whether it holds one, a list, or an object of them. */
  readonly subschemas: readonly SubschemaPlace[];
  readonly vocabularyPrefix: string;
  readonly vocabularies: readonly string[];
  readonly defaultVocabularies: readonly string[];
}

export interface SubschemaPlace {
  readonly keyword: string;
  readonly holds: 'one' | 'list' | 'object';
}

const places = (holds: SubschemaPlace['holds'], keywords: string): SubschemaPlace[] =>
  keywords.split(' ').map((keyword) => ({ keyword, holds }));

const subschemas4 = [
  ...places('object', 'definitions properties patternProperties dependencies'),
  ...places('one', 'not additionalProperties items additionalItems'),
  ...places('list', 'allOf anyOf oneOf items'),
];
const subschemas6 = [...subschemas4, ...places('one', 'propertyNames contains')];
const subschemas7 = [...subschemas6, ...places('one', 'if then else')];
const subschemas2019 = [
  ...subschemas7,
  ...places('object', '$defs dependentSchemas'),
  ...places('one', 'unevaluatedProperties unevaluatedItems contentSchema'),
];
const subschemas2020 = [...subschemas2019, ...places('list', 'prefixItems')];

const old = { vocabularyPrefix: '', vocabularies: [], defaultVocabularies: [] };

const drafts: readonly Draft[] = [
  { version: 4, url: 'http://json-schema.org/draft-04/schema', id: 'id', subschemas: subschemas4, ...old },
  { version: 6, url: 'http://json-schema.org/draft-06/schema', id: '$id', subschemas: subschemas6, ...old },
  { version: 7, url: 'http://json-schema.org/draft-07/schema', id: '$id', subschemas: subschemas7, ...old },
  {
    version: 2019,
    url: 'https://json-schema.org/draft/2019-09/schema',
    id: '$id',
    subschemas: subschemas2019,
    vocabularyPrefix: 'https://json-schema.org/draft/2019-09/vocab/',
    vocabularies: ['core', 'applicator', 'validation', 'meta-data', 'format', 'content'],
    defaultVocabularies: ['core', 'applicator', 'validation'],
  },
  {
    version: 2020,
    url: 'https://json-schema.org/draft/2020-12/schema',
    id: '$id',
    subschemas: subschemas2020,
    vocabularyPrefix: 'https://json-schema.org/draft/2020-12/vocab/',
    vocabularies: [
      'core',
      'applicator',
      'unevaluated',
      'validation',
      'meta-data',
      'format-annotation',
      'format-assertion',
      'content',
    ],
    defaultVocabularies: ['core', 'applicator', 'unevaluated', 'validation'],
  },
];

/** For a schema that does not say its draft. */
export const latestDraft = drafts.at(-1) as Draft;

/** The draft that `$schema` names; undefined for a metaschema of somebody's own. */
export function draftNamed(schemaUrl: string): Draft | undefined {
  const [url, fragment] = splitFragment(schemaUrl);
  if (fragment !== '') return undefined;
  const name = url.replace(/^https?:\/\//, '');
  if (name === 'json-schema.org/schema') return latestDraft;
  return drafts.find((draft) => draft.url.replace(/^https?:\/\//, '') === name);
}

/** A draft with the vocabularies that are in use; undefined for the draft's usual ones. */
export interface Dialect {
  readonly draft: Draft;
  readonly vocabularies: readonly string[] | undefined;
}

export const hasVocabulary = ({ draft, vocabularies }: Dialect, name: string): boolean =>
  name === 'core' || draft.version < 2019 || (vocabularies ?? draft.defaultVocabularies).includes(name);
