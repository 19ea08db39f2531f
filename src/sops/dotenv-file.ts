import type { Leaf, SopsFile } from './tree.ts';

const encryptedComment = /^#(ENC\[AES256_GCM,data:.*,type:comment\])$/;

/** A line of a dotenv file. */
export interface DotenvLeaf extends Leaf {
  readonly line: number;
}

const ownPrefix = 'sops_';

/** A dotenv file, whose metadata are keys that begin with `sops_`; undefined where it has none. Go: stores/dotenv. */
export function readSopsDotenv(text: string): SopsFile<DotenvLeaf> | undefined {
  const lines = text.split('\n');
  const pairs = lines.flatMap((line, index) => {
    const at = line.indexOf('=');
    return line.startsWith('#') || at < 0 ? [] : [{ line: index, key: line.slice(0, at), value: line.slice(at + 1) }];
  });
  const own = pairs.filter(({ key }) => key.startsWith(ownPrefix));
  if (!own.some(({ key }) => key === `${ownPrefix}mac`)) return undefined;
  const leaves = pairs
    .filter((pair) => !own.includes(pair))
    .map(({ line, key, value }) => ({ line, path: [key], text: value, bytes: () => Buffer.from(unescaped(value)) }));
  const isOwn = new Set(own.map(({ line }) => line));
  return {
    metadata: unflattened(own.map(({ key, value }) => [key.slice(ownPrefix.length), unescaped(value)])),
    leaves,
    plain(values, form) {
      const byLine = new Map(
        values.map(({ leaf, plain }) => [leaf.line, `${leaf.path[0]}=${flat(plain.data.toString())}`]),
      );
      const shown = (line: string): readonly string[] => {
        const comment = encryptedComment.exec(line)?.[1];
        if (comment === undefined) return [line];
        // To a program that reads the values it is of no use.
        return form.spelling === 'values' ? [] : [`#${form.openComment(comment, [[]]) ?? comment}`];
      };
      return lines.flatMap((line, index) => (isOwn.has(index) ? [] : (byLine.get(index) ?? shown(line)))).join('\n');
    },
  };
}

const flat = (text: string): string => text.replaceAll('\n', '\\n');
const unescaped = (text: string): string => text.replaceAll('\\n', '\n');

/** `age__list_0__map_enc` is `enc` of the first of the list `age`. Go: stores.Unflatten. */
function unflattened(pairs: readonly (readonly [string, string])[]): Readonly<Record<string, unknown>> {
  const root: Record<string, unknown> = {};
  for (const [key, value] of pairs) {
    const [, name = '', index, field] = /^(.*?)(?:__list_(\d+)__map_(.*))?$/s.exec(key) ?? [];
    if (index === undefined || field === undefined) {
      root[name] = value;
      continue;
    }
    const list = (root[name] ??= []) as Record<string, string>[];
    (list[Number(index)] ??= {})[field] = value;
  }
  return root;
}
