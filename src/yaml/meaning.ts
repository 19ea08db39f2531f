import { decodeText, toWellFormed } from '../go/text.ts';
import { decodedBase64 } from '../support/base64.ts';
import type { ScalarNode, YamlNode } from './parser.ts';
import { resolvePlain, resolveTagged, type Scalar } from './resolve.ts';
import { YamlProblem } from './tokens.ts';

/** The prefix that `!!` stands for. */
export const longTag = 'tag:yaml.org,2002:';

/** `<<`, whose value is merged into the mapping. */
export const isMergeKey = (node: YamlNode): boolean =>
  node.kind === 'scalar' && node.value === '<<' && (node.isImplicit || node.tag === `${longTag}merge`);

/** What a scalar means; `text` is the text of a string or timestamp. */
export type Meaning = Scalar & { readonly text: string };

const stringTag = `${longTag}str`;

/** What a scalar means by its tag, or by its text where it has none. */
export function meaningOf(node: ScalarNode): Meaning {
  const { tag, value } = node;
  if (tag === '') {
    if (!node.isImplicit) return { kind: 'str', text: value };
    const scalar = resolvePlain(value);
    return scalar.kind === 'str' ? { kind: 'str', text: value } : { ...scalar, text: value };
  }
  if (tag === `${longTag}binary`) return { kind: 'str', text: binaryText(node) };
  if (tag === stringTag || !resolvableTags.has(tag)) return { kind: 'str', text: value };
  return { ...asTagged(node, tag.slice(longTag.length)), text: value };
}

const resolvableTags = new Set(['bool', 'int', 'float', 'null', 'timestamp'].map((name) => longTag + name));

function asTagged(node: ScalarNode, name: string): Scalar {
  const scalar = name === 'timestamp' ? resolvePlain(node.value) : resolveTagged(node.value);
  if (scalar.kind === name) return scalar;
  if (name === 'float' && scalar.kind === 'int' && scalar.value < 2n ** 63n) {
    return { kind: 'float', value: Number(scalar.value) };
  }
  throw new YamlProblem(`cannot decode !!${scalar.kind} \`${node.value}\` as a !!${name}`, node, 0);
}

function binaryText(node: ScalarNode): string {
  const bytes = decodedBase64(node.value);
  if (bytes === undefined) throw new YamlProblem('!!binary value contains invalid base64 data', node, 0);
  return toWellFormed(decodeText(bytes));
}
