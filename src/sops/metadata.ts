import { compileRegexp } from '../go/regexp.ts';

/** What sops writes beside the values of a file. */
export interface SopsMetadata {
  /** Encrypted with the data key. */
  readonly mac: string;
  /** RFC 3339. */
  readonly lastModified: string;
  /** The data key, encrypted for each of them. */
  readonly age: readonly { readonly recipient: string; readonly armored: string }[];
  /** Kinds of other keys, which are read by the program sops: `kms`, `pgp`, … */
  readonly otherKeys: readonly string[];
  /** Whether the data key is in parts, or comments say what is encrypted: the program sops reads that. */
  readonly needsProgram: boolean;
  readonly isMacOfEncryptedOnly: boolean;
  /** Whether the value at a path of keys is encrypted. */
  readonly isEncrypted: (path: readonly string[]) => boolean;
}

/** Throws for what is no metadata of sops. `plain`: `sops` of the file, as plain data. */
export function readMetadata(plain: unknown): SopsMetadata {
  const fields = asFields(plain);
  const text = (name: string): string => asText(fields[name]);
  if (text('mac') === '' || text('lastmodified') === '') throw new Error('its metadata has no mac or no lastmodified');
  if ((fields['version'] ?? '') === '') throw new Error('its metadata has no version');
  const groups = asList(fields['key_groups']);
  const only = groups.length === 1 ? asFields(groups[0]) : fields;
  return {
    mac: text('mac'),
    lastModified: text('lastmodified'),
    age: asList(only['age']).map((one) => {
      const { recipient, enc } = asFields(one);
      return { recipient: asText(recipient), armored: asText(enc) };
    }),
    otherKeys: otherKinds.filter((kind) => asList(only[kind]).length > 0),
    needsProgram: groups.length > 1 || ['unencrypted', 'encrypted'].some((one) => text(`${one}_comment_regex`) !== ''),
    isMacOfEncryptedOnly: [true, 'true'].includes(fields['mac_only_encrypted'] as string | boolean),
    isEncrypted: ruleOf(text),
  };
}

const otherKinds = ['kms', 'gcp_kms', 'azure_kv', 'hc_vault', 'pgp', 'hckms'];

/** Go: Tree.shouldBeEncrypted. */
function ruleOf(text: (name: string) => string): SopsMetadata['isEncrypted'] {
  const hasSuffix = (suffix: string) => (key: string) => key.endsWith(suffix);
  const goMatches = (source: string) => {
    const pattern = compileRegexp(source);
    return (key: string) => pattern.matches(key);
  };
  const rules = [
    { text: text('unencrypted_suffix'), matches: hasSuffix, encrypts: false },
    { text: text('encrypted_suffix'), matches: hasSuffix, encrypts: true },
    { text: text('unencrypted_regex'), matches: goMatches, encrypts: false },
    { text: text('encrypted_regex'), matches: goMatches, encrypts: true },
  ];
  const [rule = { text: '_unencrypted', matches: hasSuffix, encrypts: false }] = rules.filter((one) => one.text !== '');
  const matches = rule.matches(rule.text);
  return (path) => path.some(matches) === rule.encrypts;
}

const asFields = (plain: unknown): Readonly<Record<string, unknown>> =>
  typeof plain === 'object' && plain !== null && !Array.isArray(plain) ? (plain as Record<string, unknown>) : {};
const asList = (plain: unknown): readonly unknown[] => (Array.isArray(plain) ? plain : []);
const asText = (plain: unknown): string => (typeof plain === 'string' ? plain : '');
