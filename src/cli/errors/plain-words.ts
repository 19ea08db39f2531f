import { nearestReleaseName } from '../../release/name.ts';

/** A way in which Go, Kubernetes or a library words a mistake, and what it means. */
interface Wording {
  /** With the flag g: a message may name several. */
  readonly pattern: RegExp;
  readonly meaning: (found: RegExpExecArray, message: string) => string | undefined;
}

/**
 * What the words of Go, of its libraries or of the API server in a message mean, a line each; '' where they are plain.
 * The message itself keeps them, because people search for them. Those of templates and YAML are explained where the
 * failure `isPlaced` in a file: `template` tells of them in Helm's bytes.
 */
export function plainWords(message: string, isPlaced: boolean): string {
  if (message.length > longestMessage) return '';
  const wordings = isPlaced ? [...wordingsOfTemplates, ...wordingsOfChecks] : wordingsOfChecks;
  const lines = wordings.flatMap(({ pattern, meaning }) =>
    [...message.matchAll(pattern)].flatMap((found) => meaning(found, message) ?? []),
  );
  return [...new Set(lines)].join('\n');
}

/** The patterns take quadratic time, and nobody reads so much. */
const longestMessage = 20_000;

/** How go-yaml words a mistake, and what people mostly did. */
const yamlMeanings: readonly (readonly [string, string])[] = [
  [
    'found character that cannot start any token',
    'YAML is indented with spaces, never tabs; a text that begins with @, ` or % needs quotes',
  ],
  ['found a tab character', 'YAML is indented with spaces, never tabs'],
  ['did not find expected key', 'a line near this one is indented too little or too far'],
  [
    "did not find expected '-' indicator",
    'a line near this one is indented as far as the items of a list, and is none',
  ],
  [
    "could not find expected ':'",
    'this line is no `key: value`: a colon is missing, or a text of several lines is indented too little (indent, nindent)',
  ],
  [
    'mapping values are not allowed in this context',
    'a line near this one is indented too far, or a text with ": " in it needs quotes',
  ],
  [
    'block sequence entries are not allowed in this context',
    'a list begins here where none can be: its dash belongs on a line of its own, below its key',
  ],
  ['found unexpected end of stream', 'a quote is opened here and never closed'],
  ['found unexpected document indicator', 'a quote is opened here and not closed before the next ---'],
  ['found unknown escape character', 'in double quotes \\ begins an escape: write \\\\, or use single quotes'],
  ["did not find expected ',' or '[\\]}]'", 'a [ or { is opened and never closed, or a text in it needs quotes'],
  ['did not find expected node content', 'a [ or { is opened and never closed, or a text in it needs quotes'],
  ['unknown anchor', 'a text that begins with * needs quotes, or the anchor with & is missing'],
  ['key "[^"]*" already set in map', 'a key stands twice in one map'],
];

const wordingsOfTemplates: readonly Wording[] = [
  {
    pattern: /at <([^<>]*)>:\s+nil pointer evaluating interface \{\}\.(\w+)/g,
    meaning: ([, context = '', field = ''], message) => {
      const owner = ownerOf(context, field);
      const value = owner === undefined ? undefined : valueName(owner, message);
      if (value !== undefined) return `the value ${value} is not set, so ${value}.${field} cannot be read`;
      return owner && `${owner} is null here, so ${owner}.${field} cannot be read`;
    },
  },
  {
    pattern:
      /at <([^<>]*)>:\s+can't evaluate field (\w+) in type (?:interface \{\}|string|bool|float64|int64|\[\]interface \{\})/g,
    meaning: ([, context = '', field = ''], message) => {
      const owner = ownerOf(context, field);
      const named = owner && (valueName(owner, message) ?? owner);
      return named && `${named} is set, but it is not a map, so ${named}.${field} cannot be read`;
    },
  },
  {
    pattern: /at <([^<>]*)>:\s+range can't iterate over/g,
    meaning: ([, context = ''], message) => `${valueName(context, message) ?? context} is neither a list nor a map`,
  },
  {
    pattern: /no template ("[^"]*") associated with template "gotpl"/g,
    meaning: ([, name]) => `no template of the chart or of its subcharts has {{ define ${name} }}`,
  },
  {
    pattern: /wrong type for value; expected (\w+); got (\w+)/g,
    meaning: ([, wanted = '', got = '']) =>
      `a ${typeNames[got] ?? got} stands here where a ${typeNames[wanted] ?? wanted} is needed${wanted === 'string' ? ': put `toString` before it' : ''}`,
  },
  {
    pattern: /unexpected "\}" in (?:operand|command)/g,
    meaning: () => 'what begins with {{ ends with a single }: write }}',
  },
  {
    pattern: /: unexpected EOF$/g,
    meaning: () => 'the file ends before the {{ end }} of an if, range, with, define or block',
  },
  ...yamlMeanings.map(([words, meaning]) => ({
    pattern: new RegExp(`yaml: .*${words}`, 'g'),
    meaning: (): string => meaning,
  })),
];

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
      const rule = 'a release name has lower case letters, digits, - and . alone, with a letter or digit at both ends';
      return `${rule}, and 53 characters at most${near === undefined ? '' : `: ${near} is one`}`;
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

/** What a field is looked for in: `.Values.web` of `.Values.web.port`, for `port`. What Helm always gives is never at fault. */
function ownerOf(context: string, field: string): string | undefined {
  const at = context.search(new RegExp(`\\.${field}(?!\\w)`));
  const owner = context.slice(0, Math.max(0, at));
  return ['', '$', '.Values', '$.Values'].includes(owner) ? undefined : owner;
}

/** `db.web` of `.Values.web` in a template of the subchart db, as the user's values name it; undefined for what is no value. */
function valueName(expression: string, message: string): string | undefined {
  const name = /^\$?\.Values\.([\w.]+)$/.exec(expression)?.[1];
  if (name === undefined || /^global\b/.test(name)) return name;
  const [, charts = ''] = /(?<![^\s(/])[^\s(/]+((?:\/charts\/[^\s/]+)*)\/templates\//.exec(message) ?? [];
  return [...charts.split('/charts/').slice(1), name].join('.');
}

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
