import { isDeepStrictEqual } from 'node:util';
import { annotations } from '../manifest/annotations.ts';
import { classify, isPartial } from '../manifest/classify.ts';
import { splitDocuments } from '../manifest/split.ts';
import { messageOf, TshelmError } from '../support/errors.ts';
import { isObject } from '../support/json.ts';
import { sortedEntries } from '../support/order.ts';
import { readPlainYaml, writePlainYaml } from '../yaml/index.ts';
import type { PostRenderer } from './post-renderer.ts';

/**
 * What the post-renderer gets: everything in one stream (`combined`, Helm 4's default), hooks and resources in streams of
 * their own (`separate`), or resources only (`nohooks`, as Helm 3).
 */
export type PostRenderStrategy = 'combined' | 'separate' | 'nohooks';

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
  const renderedHooks = strategy === 'nohooks' ? hookFiles : await renderStream(hookFiles, render, 'hooks', 'hooks');
  const renderedResources = await renderStream(resourceFiles, render, 'manifests', 'manifests');
  return joined([...renderedHooks, ...renderedResources]);
}

async function renderStream(files: Files, render: PostRenderer, prefix: string, what: string): Promise<Files> {
  const stream = annotatedStream(files);
  if (stream === '') return new Map();
  const output = await render(stream).catch((cause: unknown) => {
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
    return value['items'].filter(isObject).map((item) => writePlainYaml(withFilename(item, path)));
  }
  return [editedText(text, (source) => insertFilename(source, value, path), withFilename(value, path))];
}

function filesOfStream(stream: string, prefix: string): Files {
  const documents = splitDocuments(stream).flatMap((text) => {
    const value = parse(text, 'error while parsing post rendered output: error parsing YAML');
    return isObject(value) ? [{ text, value }] : [];
  });
  const entries = documents.map(({ text, value }, index): readonly [string, string] => {
    const fallback = `generated-by-postrender-${prefix === '' ? '' : `${prefix}-`}${index}.yaml`;
    const filename = annotationsOf(value)[annotations.postRenderFilename];
    if (typeof filename !== 'string' || filename === '') return [fallback, editedText(text, trimmed, value)];
    return [filename, editedText(text, (source) => trimmed(removeFilename(source)), withoutFilename(value))];
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
const annotationsOf = (value: Members): Members => memberOf(memberOf(value, 'metadata'), 'annotations');

const withAnnotations = (value: Members, given: Members | undefined): Members => {
  const { annotations: _, ...metadata } = memberOf(value, 'metadata');
  return { ...value, metadata: given === undefined ? metadata : { ...metadata, annotations: given } };
};

const withFilename = (value: Members, path: string): Members =>
  withAnnotations(value, { ...annotationsOf(value), [annotations.postRenderFilename]: path });

/** Without what the annotation leaves empty, too. */
function withoutFilename(value: Members): Members {
  const { [annotations.postRenderFilename]: _, ...others } = annotationsOf(value);
  if (Object.keys(others).length > 0) return withAnnotations(value, others);
  const { metadata, ...rest } = withAnnotations(value, undefined);
  return Object.keys(metadata as Members).length > 0 ? { ...rest, metadata } : rest;
}

/** The text after a small edit that keeps comments and layout; written anew where the edit does not give `wanted`. */
function editedText(text: string, edit: (text: string) => string, wanted: Members): string {
  // A line break at the end may belong to a value: `key: |`.
  const edited = endLine(edit(text));
  try {
    if (isDeepStrictEqual(readPlainYaml(edited), wanted)) return edited;
  } catch {
    // An edit that breaks the text is as good as one that misses.
  }
  return writePlainYaml(wanted);
}

/** Without the blank lines that were before the next document. */
const trimmed = (text: string): string => text.trimEnd();

const endLine = (text: string): string => (text.endsWith('\n') ? text : `${text}\n`);

function insertFilename(text: string, value: Members, path: string): string {
  const entry = `${annotations.postRenderFilename}: '${path.replaceAll("'", "''")}'`;
  if (Object.keys(annotationsOf(value)).length > 0) {
    return text.replace(
      /^( +)annotations:[ \t]*(?:#.*)?\n(?=( +))/m,
      (line, _outer: string, inner: string) => `${line}${inner}${entry}\n`,
    );
  }
  const flow = /^metadata:[ \t]*\{[ \t]*/m;
  if (flow.test(text)) return text.replace(flow, (start) => `${start}annotations: {${entry}}, `);
  return text.replace(
    /^metadata:[ \t]*(?:#.*)?\n(?=( +))/m,
    (line, inner: string) => `${line}${inner}annotations:\n${inner}  ${entry}\n`,
  );
}

function removeFilename(text: string): string {
  const key = annotations.postRenderFilename.replaceAll('.', '\\.');
  return text
    .replace(new RegExp(`annotations: \\{["']?${key}["']?: ('[^']*'|[^,'}]*)\\},? ?`), '')
    .replace(new RegExp(`^ +["']?${key}["']?:.*(?:\\n|$)`, 'm'), '')
    .replace(/^( +)annotations:[ \t]*\n(?!\1 )/m, '');
}
