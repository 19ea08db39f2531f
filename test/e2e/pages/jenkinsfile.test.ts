import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { blocksOf, pages } from '../../docs/pages.ts';

/** The parser of Groovy is installed with what makes the site: only this test needs it. Jenkins' own needs Java. */
const site = resolve('scripts/site');
const grammar = join(site, 'node_modules/tree-sitter-groovy/tree-sitter-groovy.wasm');
const jenkinsfiles = pages().flatMap((page) => blocksOf(page, 'groovy'));

/** What of tree-sitter's nodes is used here. */
interface Node {
  readonly text: string;
  readonly type: string;
  readonly hasError: boolean;
  readonly namedChildren: readonly Node[];
  childForFieldName(name: string): Node | null;
}

let parse: (text: string) => Node;

beforeAll(async () => {
  if (!existsSync(grammar))
    execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: site, stdio: 'ignore' });
  const file = createRequire(join(site, 'package.json')).resolve('web-tree-sitter');
  const { Parser, Language } = await import(pathToFileURL(file).href);
  await Parser.init();
  const parser = new Parser();
  parser.setLanguage(await Language.load(grammar));
  parse = (text) => parser.parse(text).rootNode;
});

test('each is Groovy', () => {
  expect(jenkinsfiles.length).toBeGreaterThan(0);
  for (const text of jenkinsfiles) {
    expect(parse(text).hasError).toBe(false);
    // What a mistake would look like: a brace, a quote, a comma that is missing.
    for (const [whole, broken] of [
      [/\}\n$/, ''],
      ["--strict'", '--strict'],
      ["', variable", "' variable"],
    ] as const)
      expect(parse(text.replace(whole, broken)).hasError).toBe(true);
  }
});

test('each is a declarative pipeline: the sections that Jenkins wants, and steps in each stage', () => {
  for (const text of jenkinsfiles) {
    const [pipeline] = blocksIn(parse(text));
    expect(pipeline?.name).toBe('pipeline');
    const sections = pipeline?.blocks ?? [];
    const stages = sections.find(({ name }) => name === 'stages')?.blocks ?? [];
    expect(text).toMatch(/^ {2}agent any$/m);
    expect(sections.map(({ name }) => name)).toEqual(['options', 'stages', 'post']);
    expect(stages.map(({ name }) => name)).toEqual(['stage', 'stage']);
    for (const { blocks } of stages) expect(blocks.filter(({ name }) => name === 'steps')).toHaveLength(1);
  }
});

interface Block {
  readonly name: string;
  readonly blocks: readonly Block[];
}

/** The calls with a closure, such as `stages { … }`, below a node and not inside another of them. */
function blocksIn(node: Node): readonly Block[] {
  return node.namedChildren.flatMap((child) => {
    const body = child.childForFieldName('body');
    const name = child.childForFieldName('name')?.text;
    return child.type === 'method_invocation' && body !== null && name !== undefined
      ? [{ name, blocks: blocksIn(body) }]
      : blocksIn(child);
  });
}
