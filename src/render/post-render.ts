import { annotations } from '../manifest/annotations.ts';
import { classify, isPartial } from '../manifest/classify.ts';
import { splitDocuments } from '../manifest/split.ts';
import { messageOf, TshelmError } from '../support/errors.ts';
import { equalJson, isObject } from '../support/json.ts';
import { sortedEntries } from '../support/order.ts';
import { readPlainYaml, writePlainYamlInOrder } from '../yaml/index.ts';
import { itemTexts, withAnnotation, withoutMember } from './document-edits.ts';
import type { PostRenderer } from './post-renderer.ts';

/**
 * What the post-renderer gets: everything in one stream (`combined`, Helm 4's default), hooks and resources in streams of
 * their own (`separate`), or resources only (`nohooks`, as Helm 3).
 */
export type PostRenderStrategy = 'combined' | 'separate' | 'nohooks';

const filename = annotations.postRenderFilename;

type Files = ReadonlyMap<string, string>;

/**
 * Rendered files (path → text) after the post-renderer. Each document carries its path through it in an annotation; those
 * that come back without get a file of their own. Helm's annotateAndMerge and splitAndDeannotate also reformat every document;
 * here the text stays as it is.
 */
export async function postRender(files: Files, render: PostRenderer, strategy: PostRenderStrategy): Promise<Files> {
  if (strategy === 'combined') return renderStream(files, render, '', 'files');
  const { hooks, manifests } = classify(files, { knowHelm2Events: true });
  const hookFiles = joined(hooks.map(({ path, manifest }) => [path, manifest]));
  const resourceFiles = joined(manifests.map(({ source, text }) => [source, text]));
  const keepsHooks = strategy === 'nohooks' || hookFiles.size === 0;
  const renderedHooks = keepsHooks ? hookFiles : await renderStream(hookFiles, render, 'hooks', 'hooks');
  const renderedResources =
    resourceFiles.size === 0 ? resourceFiles : await renderStream(resourceFiles, render, 'manifests', 'manifests');
  return joined([...renderedHooks, ...renderedResources]);
}

async function renderStream(files: Files, render: PostRenderer, prefix: string, what: string): Promise<Files> {
  const output = await render(annotatedStream(files)).catch((cause: unknown) => {
    // A post-renderer that is not there has run on nothing.
    if (cause instanceof TshelmError && cause.code === 'bad-flag') throw cause;
    throw failed(`error while running post render on ${what}: ${messageOf(cause)}`, cause);
  });
  return filesOfStream(output, prefix);
}

const failed = (message: string, cause: unknown): TshelmError =>
  new TshelmError('post-renderer-failed', { message, cause });

/** Several texts of one path become one file. */
function joined(entries: Iterable<readonly [string, string]>, separator = '\n---\n'): Files {
  const files = new Map<string, string>();
  for (const [path, text] of entries) {
    const before = files.get(path);
    files.set(path, before === undefined ? text : `${before}${separator}${text}`);
  }
  return files;
}

function annotatedStream(files: Files): string {
  const documents: string[] = [];
  for (const [path, text] of sortedEntries(files)) {
    if (isPartial(path)) continue;
    for (const document of splitDocuments(text)) documents.push(...annotatedDocuments(document, path));
  }
  return documents.join('---\n');
}

function annotatedDocuments(text: string, path: string): string[] {
  const value = parse(text, `error merging manifests: parsing ${path}`);
  if (!isObject(value)) return [];
  if (value['kind'] === 'List' && Array.isArray(value['items'])) {
    const texts = itemTexts(text);
    return value['items'].flatMap((item: unknown, index) =>
      isObject(item) ? [annotatedDocument(editedText(texts?.[index] ?? '', asItIs, item), item, path)] : [],
    );
  }
  return [annotatedDocument(text, value, path)];
}

const asItIs = (text: string): string => text;

const annotatedDocument = (text: string, value: Members, path: string): string =>
  editedText(text, (source) => withAnnotation(source, filename, path), withFilename(value, path));

function filesOfStream(stream: string, prefix: string): Files {
  const documents = splitDocuments(stream).flatMap((text) => {
    const value = parse(text, 'error while parsing post rendered output: error parsing YAML');
    return isObject(value) ? [{ text, value }] : [];
  });
  const entries = documents.map(({ text, value }, index): readonly [string, string] => {
    const fallback = `generated-by-postrender-${prefix === '' ? '' : `${prefix}-`}${index}.yaml`;
    const path = annotationsOf(value)[filename];
    if (typeof path !== 'string' || path === '') return [fallback, editedText(text, trimmed, value)];
    const edit = (source: string): string => trimmed(withoutMember(source, ['metadata', 'annotations', filename]));
    return [path, editedText(text, edit, withoutFilename(value))];
  });
  return joined(entries, '---\n');
}

function parse(text: string, context: string): unknown {
  try {
    return readPlainYaml(text);
  } catch (cause) {
    // What kyaml calls the mistake.
    const reason = messageOf(cause).replace(/^error converting YAML to JSON: /, 'MalformedYAMLError: ');
    throw failed(`${context}: ${reason}`, cause);
  }
}

type Members = Record<string, unknown>;
const memberOf = (value: unknown, name: string): Members => {
  const member = isObject(value) ? value[name] : undefined;
  return isObject(member) ? member : {};
};
export const annotationsOf = (value: Members): Members => memberOf(memberOf(value, 'metadata'), 'annotations');

export const withAnnotations = (value: Members, given: Members | undefined): Members => {
  const { annotations: _, ...metadata } = memberOf(value, 'metadata');
  return { ...value, metadata: given === undefined ? metadata : { ...metadata, annotations: given } };
};

const withFilename = (value: Members, path: string): Members =>
  withAnnotations(value, { ...annotationsOf(value), [filename]: path });

/** Without what the annotation leaves empty, too. */
function withoutFilename(value: Members): Members {
  const { [filename]: _, ...others } = annotationsOf(value);
  if (Object.keys(others).length > 0) return withAnnotations(value, others);
  const { metadata, ...rest } = withAnnotations(value, undefined);
  return Object.keys(metadata as Members).length > 0 ? { ...rest, metadata } : rest;
}

/** The text after a small edit that keeps comments and layout; written anew where the edit does not give `wanted`. */
export function editedText(text: string, edit: (text: string) => string, wanted: Members): string {
  try {
    const edited = edit(text);
    const complete = endsLine(edited) ? [edited] : [`${edited}\n`, `${withStrippedEnd(edited)}\n`];
    const found = complete.find((one) => equalJson(readPlainYaml(one), wanted));
    if (found !== undefined) return found;
  } catch {
    // An edit that breaks the text is as good as one that misses.
  }
  return writePlainYamlInOrder(wanted);
}

/** A block scalar at the end of a text without a line break has none either: `key: |` becomes `key: |-`. */
function withStrippedEnd(text: string): string {
  const header = Math.max(text.lastIndexOf(': |\n'), text.lastIndexOf(': >\n'));
  return header < 0 ? text : `${text.slice(0, header + 3)}-${text.slice(header + 3)}`;
}

/** Without the blank lines that were before the next document. */
const trimmed = (text: string): string => text.trimEnd();

const endsLine = (text: string): boolean => text.endsWith('\n');
