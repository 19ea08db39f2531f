import { nearestReleaseName } from '../../release/name.ts';

/** A way in which Go, Kubernetes or a library words a mistake, and what it means. */
interface Wording {
  /** With the flag g: a message may name several. */
  readonly pattern: RegExp;
  readonly meaning: (found: RegExpExecArray, message: string) => string | undefined;
}

/**
 * What the words of Go's libraries or of the API server in a message mean, a line each; '' where they are plain. The
 * message itself keeps them, because people search for them.
 */
export function plainWords(message: string): string {
  if (message.length > longestMessage) return '';
  const lines = wordingsOfChecks.flatMap(({ pattern, meaning }) =>
    [...message.matchAll(pattern)].flatMap((found) => meaning(found, message) ?? []),
  );
  return [...new Set(lines)].join('\n');
}

/** The patterns take quadratic time, and nobody reads so much. */
const longestMessage = 20_000;

const typeNames: Readonly<Record<string, string>> = {
  string: 'text',
  float64: 'number',
  int64: 'number',
  int: 'number',
  bool: 'true or false',
  map: 'map',
};

const wordingsOfChecks: readonly Wording[] = [
  {
    // Of a command that changes something: what `template` says is compared with Helm's.
    pattern:
      / FAILED: .*(?:release name "([^"]+)": invalid release name, must match regex|release name is invalid: (\S+))/g,
    meaning: ([, refused, named]) => {
      const near = nearestReleaseName(refused ?? named ?? '');
      const rule = 'use lower-case letters, digits, "-" and "."; start and end with a letter or digit';
      return `${rule}; at most 53 characters${near === undefined ? '' : `, for example ${near}`}`;
    },
  },
  {
    pattern: /chart\.metadata\.(version|name) is required/g,
    meaning: ([, key]) => `Chart.yaml has no ${key}: add a line \`${key}: ${key === 'version' ? '0.1.0' : '…'}\``,
  },
  {
    pattern: /cannot unmarshal (\w+) into Go struct field Metadata\.([\w.-]+) of type (\S+)/g,
    meaning: ([, got, key, type = '']) =>
      `${key} in Chart.yaml is a ${got} but must be a ${type.startsWith('[]') ? 'list' : type.startsWith('map') ? 'map' : type}`,
  },
  {
    pattern: /error unpacking subchart (\S+\.tgz) in (\S+): gzip: invalid header/g,
    meaning: ([, file, chart]) =>
      `charts/${file} of ${chart} is no .tgz archive: fetch it again with \`dependency update\``,
  },
  {
    pattern: /type mismatch on (\S+): %!t\((\w+)=/g,
    meaning: ([, name, type = '']) =>
      `${name} is a subchart, so its values must be a map and not a ${typeNames[type] ?? type}`,
  },
  {
    pattern: /at '\/([^']*)': (\w+): got ([\d,.]+), want ([\d,.]+)/g,
    meaning: ([, path = '', keyword = '', got = '', want = '']) => {
      const limit = limits[keyword];
      return limit && `${path.replaceAll('/', '.')} ${limit.replace('#', plainNumber(got))} ${plainNumber(want)}`;
    },
  },
];

/** Keywords of JSON Schema, as a sentence between the value's name and the limit; # is what it is. */
const limits: Readonly<Record<string, string>> = {
  maximum: 'is # but may be at most',
  minimum: 'is # but must be at least',
  exclusiveMaximum: 'is # but must be below',
  exclusiveMinimum: 'is # but must be above',
  maxLength: 'has # characters but may have at most',
  minLength: 'has # characters but needs at least',
  maxItems: 'has # items but may have at most',
  minItems: 'has # items but needs at least',
};

const plainNumber = (text: string): string => text.replaceAll(',', '');
