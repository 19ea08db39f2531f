// One candidate in a process of its own, started by compare.mjs: node candidate.mjs NAME FOLDER < CASES > RESULTS
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [name, folder] = process.argv.slice(2);
const { cases, data, work } = JSON.parse(readFileSync(0, 'utf8'));
const load = (path) => import(pathToFileURL(join(folder, path)).href);

/** How each parses a text: a function that gives the text of data comes back. */
const loaders = {
  tshelm: async () => {
    const { parse } = await load('index.mjs');
    return (text) => {
      const template = parse(text, { name: 't' });
      return (values) => template.execute(values);
    };
  },
  wasm: async () => {
    await load('wasm_exec.js');
    const go = new globalThis.Go();
    const { instance } = await WebAssembly.instantiate(readFileSync(join(folder, 'main.wasm')), go.importObject);
    void go.run(instance);
    return (text) => {
      const id = globalThis.goParse(text);
      if (typeof id === 'string') throw new Error(id);
      return (values) => {
        const [output, error] = globalThis.goExecute(id, JSON.stringify(values ?? null));
        if (error !== null) throw new Error(error);
        return output;
      };
    };
  },
  '@ctrl/golang-template': async () => {
    const { compile } = await load('node_modules/@ctrl/golang-template/dist/index.mjs');
    return (text) => {
      const template = compile(text);
      return (values) => template.render(values ?? {});
    };
  },
  '@evertdespiegeleer/go-template': async () => {
    const { parse } = await load('node_modules/@evertdespiegeleer/go-template/dist/main.js');
    return (text) => (values) => parse(text, values ?? null);
  },
};

const started = performance.now();
const compile = await loaders[name]();
await compile('Hello {{ .name }}')({ name: 'you' });
const startMs = performance.now() - started;
const outcomes = [];
for (const { source, hasData } of cases) outcomes.push(await outcome(source, hasData ? data : null));
console.log(JSON.stringify({ startMs, outcomes, rendersPerSecond: await speed() }));
process.exit(0);

async function outcome(source, values) {
  try {
    return { text: await compile(source)(values) };
  } catch (error) {
    return { error: error.message };
  }
}

/** Renders of a small text in a second, parsed once where that is possible; none where the text comes out wrong. */
async function speed() {
  const execute = compile(work.source);
  if ((await execute(work.data)) !== work.text) return undefined;
  const rounds = async (milliseconds) => {
    const start = performance.now();
    let count = 0;
    for (; performance.now() - start < milliseconds; count++) await execute(work.data);
    return (1000 * count) / (performance.now() - start);
  };
  await rounds(500);
  return rounds(2000);
}
