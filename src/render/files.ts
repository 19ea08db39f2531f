import type { ChartFile } from '../chart/types.ts';
import { decodeText } from '../go/text.ts';
import { asNamedMap, type GoFunction, type GoMap, type NamedType, withGoType } from '../go/value.ts';
import { base64Text } from '../support/bytes.ts';
import { sortedEntries } from '../support/order.ts';
import { trimSuffix } from '../support/text.ts';
import { goFunction } from '../template/function.ts';
import { writeYaml } from '../yaml/index.ts';
import { globMatcher } from './glob.ts';

/** `.Files`: Go's engine.files, a map from name to bytes, with its methods. */
export function filesObject(files: Iterable<readonly [string, Uint8Array]>): GoMap {
  return asNamedMap(withGoType(new Map(sortedEntries(new Map(files))), filesType.underlying), filesType);
}

const filesType: NamedType = {
  name: 'engine.files',
  underlying: 'map[string][]uint8',
  method: (files, name) => methods[name]?.(files as ReadonlyMap<string, Uint8Array>),
};

export const filesOf = (files: readonly ChartFile[]): GoMap =>
  filesObject(files.map((file) => [file.name, file.data] as const));

type Bytes = ReadonlyMap<string, Uint8Array>;

const methods: Readonly<Record<string, (files: Bytes) => GoFunction>> = {
  Get: (files) => goFunction('func(string) string', (name: string) => textOf(files, name)),
  GetBytes: (files) => goFunction('func(string) []uint8', (name: string) => files.get(name) ?? new Uint8Array()),
  Glob: (files) => goFunction('func(string) engine.files', (pattern: string) => glob(files, pattern)),
  Lines: (files) => goFunction('func(string) []string', (name: string) => lines(textOf(files, name))),
  AsConfig: (files) => goFunction('func() string', () => asYaml(files, decodeText)),
  AsSecrets: (files) => goFunction('func() string', () => asYaml(files, base64Text)),
};

function textOf(files: Bytes, name: string): string {
  const bytes = files.get(name);
  return bytes === undefined ? '' : decodeText(bytes);
}

function glob(files: Bytes, pattern: string): GoMap {
  const matches = globMatcher(pattern);
  return filesObject([...files].filter(([name]) => matches(name)));
}

function lines(text: string): string[] {
  return text === '' ? [] : trimSuffix(text, '\n').split('\n');
}

/** A YAML map from base name to content, in the last file's favour where two have the same base name. */
function asYaml(files: Bytes, encode: (bytes: Uint8Array) => string): string {
  const entries = [...files].map(([name, bytes]) => [baseName(name), encode(bytes)] as const);
  return trimSuffix(writeYaml(withGoType(new Map(entries), 'map[string]string')), '\n');
}

const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
