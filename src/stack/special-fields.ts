import type { GoMap } from '../go/value.ts';
import { anyOf } from '../render/yaml-values.ts';
import { meaningOfScalar, pairsOf, withoutAlias } from '../yaml/index.ts';
import { anyList, bool, type DataOf, type FieldType, listOf, structOf, text, textPointer, texts } from './fields.ts';

/** Fields of helmfile's structs that are read in more than one form. */

const inheritFields = { template: text, except: texts };
export type Inherit = DataOf<typeof inheritFields>;
const inherit = structOf('state.Inherit', inheritFields);
const inheritList = listOf(inherit, () => ({}));

/** A list of templates; a single one may be without a list, as in old files. */
export const inherits: FieldType<readonly Inherit[]> = {
  ...inheritList,
  read(node, complain) {
    if (withoutAlias(node).kind !== 'mapping') return inheritList.read(node, complain);
    const single = inherit.read(node, complain);
    return single === undefined ? undefined : [single];
  },
};

/** Names of templates, or one name. */
export const inheritNames: FieldType<readonly string[]> = {
  ...texts,
  read(node, complain) {
    if (withoutAlias(node).kind === 'sequence') return named(texts.read(node, complain) ?? []);
    const name = textPointer.read(node, complain);
    return name === undefined ? undefined : named([name]);
  },
};

const named = (names: readonly string[]): readonly string[] | undefined => {
  const kept = names.map((name) => name.trim()).filter((name) => name !== '');
  return kept.length === 0 ? undefined : kept;
};

/** The path of an order file, or what one says; the later one takes the place of the earlier. */
export const order: FieldType<string | GoMap> = {
  read(given, complain) {
    const node = withoutAlias(given);
    if (node.kind === 'mapping') return anyOf(node) as GoMap;
    const kind = node.kind === 'scalar' ? meaningOfScalar(node).kind : node.kind;
    if (kind === 'str' || kind === 'null') return text.read(node, complain);
    complain(node, 'order must be the name of an order file, or a mapping with what it would say');
    return undefined;
  },
  merge: (into, from, { overrides }) => (overrides ? from : into),
  write: (value) => value,
};

const subHelmfileFields = { path: text, selectors: texts, selectorsInherited: bool, inherits: texts, values: anyList };
export type SubHelmfile = DataOf<typeof subHelmfileFields>;
const subHelmfileStruct = structOf('state.SubHelmfileSpec', subHelmfileFields);

const inheritable = [
  'repositories',
  'helmDefaults',
  'commonLabels',
  'apiVersions',
  'kubeVersion',
  'templates',
  'environments',
];

/** A path, or a path with what the nested file is given. */
export const subHelmfile: FieldType<SubHelmfile> = {
  ...subHelmfileStruct,
  read(given, complain) {
    const node = withoutAlias(given);
    if (node.kind === 'scalar') {
      const path = text.read(node, complain);
      return path === undefined ? {} : { path };
    }
    const data = subHelmfileStruct.read(node, complain) ?? {};
    if (node.kind !== 'mapping') return data;
    // An empty list of selectors is not the same as none: it selects whatever the outer selectors say.
    const selectors = pairsOf(node).some(({ key }) => key === 'selectors') ? { selectors: data.selectors ?? [] } : {};
    const { path, selectorsInherited, inherits: wanted = [] } = data;
    if (data.selectors !== undefined && path === undefined) {
      complain(node, `found 'selectors' definition without path: [${data.selectors.join(' ')}]`);
    }
    if (selectorsInherited && (data.selectors?.length ?? 0) > 0) {
      complain(node, `you cannot use 'SelectorsInherited: true' along with and explicit selector for path: ${path}`);
    }
    const unknown = wanted.find((key) => !inheritable.includes(key));
    if (unknown !== undefined) {
      const allowed = `[${inheritable.join(' ')}]`;
      complain(node, `invalid inherits entry "${unknown}" for path "${path}": allowed values are ${allowed}`);
    }
    return { ...data, ...selectors };
  },
};
