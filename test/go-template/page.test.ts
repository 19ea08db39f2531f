import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import * as template from '../../src/go-template.ts';
import * as functions from '../../src/go-template-functions.ts';
import * as yaml from '../../src/go-yaml.ts';

// The examples of docs/go-template.md, which is the README of the package too: each line gives what is written beside it.

const modules: Readonly<Record<string, object>> = {
  'tshelm/go-template': template,
  'tshelm/go-template/functions': functions,
  'tshelm/go-yaml': yaml,
};
const blocks = [...readFileSync('docs/go-template.md', 'utf8').matchAll(/^```js\n([^]*?)^```$/gm)].map(
  ([, block]) => block as string,
);

/** What the block imports, by name. */
const importsOf = (block: string): object =>
  Object.fromEntries(
    [...block.matchAll(/^import \{ (.*) \} from '(.*)';$/gm)].flatMap(([, names = '', module = '']) =>
      names.split(', ').map((name) => [name, (modules[module] as Record<string, unknown>)[name]]),
    ),
  );

interface Example {
  /** The statements before it. */
  readonly setup: string;
  readonly call: string;
  readonly answer: string;
}

/** The calls with an answer beside them. */
function examplesOf(block: string): readonly Example[] {
  const setup: string[] = [];
  return block.split('\n').flatMap((line) => {
    const [, call, answer] = /^(.*;) \/\/ (.*)$/.exec(line) ?? [];
    if (call !== undefined && answer !== undefined) return [{ setup: setup.join('\n'), call, answer }];
    if (!line.startsWith('import ')) setup.push(line);
    return [];
  });
}

function outcome(block: string, setup: string, call: string): unknown {
  const script = `${setup}\nresult.value = ${call}`;
  const result: { value?: unknown } = {};
  try {
    runInNewContext(script, { ...importsOf(block), result, Date, Uint8Array });
  } catch (error) {
    return `${(error as Error).name}: ${(error as Error).message}`.replaceAll('\n', '\\n');
  }
  return result.value;
}

const examples = blocks.flatMap((block) => examplesOf(block).map((example) => ({ block, ...example })));

test.each(examples)('$call', ({ block, setup, call, answer }) => {
  const given = outcome(block, setup, call);
  expect(given).toEqual(/^\w+Error: /.test(answer) ? answer : runInNewContext(`(${answer})`));
});

test('there are examples', () => expect(examples.length).toBeGreaterThan(20));
