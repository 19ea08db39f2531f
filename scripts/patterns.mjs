// node scripts/patterns.mjs [FOLDER]: the regular expressions of src/ meet foreign text, so none may take exponential time.
// patterns.json keeps what recheck found, so that only new patterns are examined. One of polynomial time fails too, until
// `--update` accepts it: that is for short texts.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import recheck from 'recheck';
import { parseAst } from 'rolldown/parseAst';

const words = process.argv.slice(2);
const isUpdate = words.includes('--update');
const folder = words.find((word) => !word.startsWith('-')) ?? fileURLToPath(new URL('../src/', import.meta.url));
const verdictFile = fileURLToPath(new URL('patterns.json', import.meta.url));
const timeoutMs = 10_000;

const places = new Map();
for (const file of readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.ts'))) collect(file);

const { safe, accepted } = JSON.parse(readFileSync(verdictFile, 'utf8'));
const problems = [];
for (const [pattern, place] of places) {
  if (accepted.includes(pattern) || safe.includes(digest(pattern))) continue;
  const { status, complexity, checker, attack } = await examined(pattern);
  if (status === 'safe') safe.push(digest(pattern));
  else if (isUpdate && !(checker === 'automaton' && complexity?.type === 'exponential')) accepted.push(pattern);
  else {
    const cost = complexity === undefined ? 'cannot be examined' : `takes ${complexity.summary} time`;
    problems.push(`${place} ${pattern} ${cost}${attack ? ` for ${attack.pattern}` : ''}`);
  }
}
if (isUpdate) {
  const digests = new Set([...places.keys()].map(digest));
  const kept = {
    accepted: accepted.filter((pattern) => places.has(pattern)),
    safe: safe.filter((key) => digests.has(key)),
  };
  writeFileSync(
    verdictFile,
    `${JSON.stringify({ accepted: kept.accepted.sort(), safe: kept.safe.sort() }, undefined, 2)}\n`,
  );
}
for (const problem of problems) console.error(problem);
process.exit(problems.length > 0 ? 1 : 0);

function collect(file) {
  const text = readFileSync(join(folder, file), 'utf8');
  JSON.stringify(parseAst(text, { lang: 'ts' }, file), (_key, node) => {
    if (node?.type === 'Literal' && node.regex) {
      const line = text.slice(0, node.start).split('\n').length;
      const { pattern, flags } = node.regex;
      const key = `/${pattern}/${flags}`;
      places.set(key, places.get(key) ?? `${file}:${line}`);
    }
    return typeof node === 'bigint' || node instanceof RegExp ? undefined : node;
  });
}

function digest(pattern) {
  return createHash('sha256').update(pattern).digest('hex').slice(0, 12);
}

function examined(pattern) {
  const end = pattern.lastIndexOf('/');
  return recheck.check(pattern.slice(1, end), pattern.slice(end + 1), { timeout: timeoutMs });
}
