import { TshelmError } from '../support/errors.ts';
import { readYamlNode, YamlError } from '../yaml/index.ts';
import { mergeStructs } from './fields.ts';
import { type StateSpec, stateFields, stateType } from './schema.ts';

/** A piece of a state file: its text, rendered, and where in the file it begins. */
export interface Part {
  readonly file: string;
  readonly text: string;
  /** Lines of the file before it; undefined where a template has moved them. */
  readonly linesBefore: number | undefined;
}

/** What a part says, its documents joined into one. Unknown fields and wrong types are refused, all at once. */
export function parseState(part: Part): StateSpec {
  let state: StateSpec = {};
  for (const [index, { text, before }] of documentsOf(part.text).entries()) {
    const document = parseDocument(text, { ...part, before, number: index + 1 });
    state = mergeStructs(stateFields, state, document, { overrides: true, appends: true });
  }
  return state;
}

interface Document extends Part {
  readonly before: number;
  readonly number: number;
}

function parseDocument(text: string, document: Document): StateSpec {
  const problems: { readonly line: number; readonly problem: string }[] = [];
  try {
    const node = readYamlNode(text);
    if (node === undefined) return {};
    const state = stateType.read(node, ({ line }, problem) => problems.push({ line: line + 1, problem }));
    if (problems.length === 0) return state ?? {};
  } catch (cause) {
    if (!(cause instanceof YamlError)) throw cause;
    throw refused(document, cause.message, cause.line, cause);
  }
  const lines = problems.map(({ line, problem }) => `\n  line ${line + document.before}: ${problem}`);
  throw refused(document, `yaml: unmarshal errors:${lines.join('')}`, problems[0]?.line ?? 1);
}

/** helmfile's words; the line is that of the file, where no template has moved it. */
function refused(document: Document, problem: string, line: number, cause?: unknown): TshelmError {
  const { file, number, linesBefore, before } = document;
  const hint = file.endsWith('.gotmpl')
    ? ''
    : '. Started seeing this since Helmfile v1? Add the .gotmpl file extension';
  const at = linesBefore === undefined ? '' : ` (${file}:${linesBefore + before + Math.max(line, 1)})`;
  const message = `failed to read ${file}: reading document at index ${number}${hint}: ${problem}${at}`;
  return new TshelmError('stack-invalid', { message, details: { file }, cause });
}

/** The documents of a text: a line `---` with something behind it, which does not part the file, begins one too. */
function documentsOf(text: string): { readonly text: string; readonly before: number }[] {
  const lines = text.split('\n');
  const starts = lines.flatMap((line, index) => (/^---(?:\s|$)/.test(line) && index > 0 ? [index] : []));
  if (starts.length === 0) return [{ text, before: 0 }];
  return [0, ...starts].map((start, index) => ({
    text: lines.slice(start, starts[index]).join('\n'),
    before: start,
  }));
}
