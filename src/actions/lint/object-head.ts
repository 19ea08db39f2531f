import { type FieldType, readStruct, type StructType } from '../../chart/struct-decoder.ts';

/** What lint looks at in an object; everything may be absent. */
export interface ObjectHead {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: { readonly name?: string; readonly namespace?: string };
}

const text: FieldType = { kind: 'string' };

/** Go: rules.k8sYamlStruct. The keys are its field names, which its errors show. */
export const objectHeadType: StructType = {
  kind: 'struct',
  goType: 'rules.k8sYamlStruct',
  fields: {
    apiVersion: { name: 'apiVersion', type: text },
    Kind: { name: 'kind', type: text },
    Metadata: {
      name: 'metadata',
      type: {
        kind: 'struct',
        goType: 'rules.k8sYamlMetadata',
        fields: { Namespace: { name: 'namespace', type: text }, Name: { name: 'name', type: text } },
      },
    },
  },
};

interface ListHead {
  readonly items?: readonly ({
    readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> };
  } | null)[];
}

const metadataGoType = 'struct { Annotations map[string]string }';
const itemGoType = `struct { Metadata ${metadataGoType} }`;

const itemType: StructType = {
  kind: 'struct',
  goType: itemGoType,
  name: '',
  fields: {
    Metadata: {
      name: 'metadata',
      type: {
        kind: 'struct',
        goType: metadataGoType,
        name: '',
        fields: { Annotations: { name: 'annotations', type: { kind: 'string-map' } } },
      },
    },
  },
};

const listHeadType: StructType = {
  kind: 'struct',
  goType: `struct { Items []${itemGoType} }`,
  name: '',
  fields: { Items: { name: 'items', type: { kind: 'list', of: itemType, goType: `[]${itemGoType}` } } },
};

/** The annotations of each item of a List, the first document of `manifest`. Throws YamlError or GoError. */
export function itemAnnotations(manifest: string): Readonly<Record<string, string>>[] {
  const { items = [] } = (readStruct(manifest, listHeadType) ?? {}) as ListHead;
  return items.map((item) => item?.metadata?.annotations ?? {});
}
