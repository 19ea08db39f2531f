import type { GoMap, Value } from '../go/value.ts';

/** The backends of vals (vals.go: Provider…). */
const schemes =
  'awskms awssecrets awsssm azurekeyvault bw conjur doppler echo env envsubst exec file gcpsecrets gcs gitlab gkms googlesheets hcpvaultsecrets httpjson infisical k8s keychain oci onepasswordconnect op openbao pulumistateapi s3 scw servercore sops tfstate tfstateazurerm tfstategitlab tfstategs tfstateremote tfstates3 tss vault yclockbox';
const beginning = new RegExp(`^(?:secret)?ref\\+(?:${schemes.replaceAll(' ', '|')})://[^+\\n ]+[^+\\n ",]`);

/** The keys of the first value that is a reference to a secret and nothing else; undefined where none is. */
export function firstReference(values: Value): readonly string[] | undefined {
  if (typeof values === 'string') return beginning.test(values) ? [] : undefined;
  for (const [key, value] of membersOf(values)) {
    const found = firstReference(value);
    if (found !== undefined) return [key, ...found];
  }
  return undefined;
}

/** Whether a text in the values has a reference in it, of whatever backend. */
export const mayHaveReferences = (values: Value): boolean =>
  typeof values === 'string'
    ? values.includes('ref+')
    : membersOf(values).some(([, value]) => mayHaveReferences(value));

/** The same values; each text that may have a reference is what `resolve` makes of it. */
export function withTexts(values: GoMap, resolve: (text: string, keys: readonly string[]) => Value): GoMap {
  const resolved = (value: Value, keys: readonly string[]): Value => {
    if (typeof value === 'string') return value.includes('ref+') ? resolve(value, keys) : value;
    if (Array.isArray(value)) return value.map((item, index) => resolved(item, [...keys, String(index)]));
    if (!(value instanceof Map)) return value;
    return new Map([...value].map(([key, item]): [string, Value] => [key, resolved(item, [...keys, key])]));
  };
  return resolved(values, []) as GoMap;
}

function membersOf(value: Value): readonly (readonly [string, Value])[] {
  if (value instanceof Map) return [...value];
  return Array.isArray(value) ? value.map((item, index) => [String(index), item]) : [];
}
