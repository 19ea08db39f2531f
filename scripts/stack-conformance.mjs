#!/usr/bin/env node
// Reads every state file below a folder, in each of its environments, with tshelm and with helmfile, and compares what they print.
import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const usage = `usage: node scripts/stack-conformance.mjs --stacks DIR [options]

  --stacks DIR         each folder in it is a repository; every helmfile.yaml, helmfile.yaml.gotmpl and helmfile.d in one is a stack
  --helmfile PATH      helmfile's executable (default: ~/.cache/tshelm-e2e/bin/helmfile); helm is taken from the same folder
  --tshelm PATH        tshelm's executable (default: bin/tshelm of this checkout)
  --filter TEXT        only stacks whose path contains TEXT
  --jobs N             so many repositories at a time (default 1)
  --json FILE          writes the result of every case

State files run programs: hooks, and the functions exec and envExec. Give it files of strangers only where these can do no harm,
without a network and a cluster. What helmfile itself refuses is not compared.`;

const { values: flags } = parseArgs({
  options: {
    stacks: { type: 'string' },
    helmfile: { type: 'string' },
    tshelm: { type: 'string' },
    filter: { type: 'string' },
    jobs: { type: 'string', default: '1' },
    json: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  },
});
if (flags.help || flags.stacks === undefined) {
  console.log(usage);
  process.exit(flags.help ? 0 : 2);
}

const stacks = resolve(flags.stacks);
const helmfile = resolve(flags.helmfile ?? join(homedir(), '.cache/tshelm-e2e/bin/helmfile'));
const tshelm = resolve(flags.tshelm ?? fileURLToPath(new URL('../bin/tshelm', import.meta.url)));
/** `values` is `template` with a chart of ours for every release, which prints the values: remote charts need no network. */
const commands = ['build', 'list', 'dag', 'template', 'values', 'write-values'];
/** How a command is called in helmfile. */
const calledThere = { dag: 'show-dag', values: 'template' };
/** How written files of values are named, so that they can be compared. */
const valuesName = '{{ .State.BaseName }}.{{ .Release.Namespace }}.{{ .Release.Name }}.yaml';

const chart = join(mkdtempSync(join(tmpdir(), 'tshelm-conformance-')), 'values');
mkdirSync(join(chart, 'templates'), { recursive: true });
writeFileSync(join(chart, 'Chart.yaml'), 'apiVersion: v2\nname: values\nversion: 0.1.0\n');
writeFileSync(
  join(chart, 'templates/values.yaml'),
  'release: {{ .Release.Name }}\nnamespace: {{ .Release.Namespace }}\nkube: {{ .Capabilities.KubeVersion }}\nvalues: {{ .Values | toYaml | nindent 2 }}\n',
);

/** State files and folders of them below a folder, those in a helmfile.d left out: they are read with it. */
function stateFiles(folder, depth = 0) {
  if (depth > 6) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (entry.name === 'helmfile.d') return [path];
      return entry.name === '.git' || entry.name === 'node_modules' ? [] : stateFiles(path, depth + 1);
    }
    return /^helmfile\.ya?ml(\.gotmpl)?$/.test(entry.name) ? [path] : [];
  });
}

/** The names below `environments:` in a file and those beside it that it may take them from. */
function environmentsOf(path) {
  const folder = statSync(path).isDirectory() ? path : dirname(path);
  const around = readdirSync(folder).filter((name) => /\.ya?ml(\.gotmpl)?$/.test(name));
  const texts = around.map((name) => join(folder, name)).filter((one) => statSync(one).isFile());
  const found = texts.flatMap((one) => {
    const block = /^environments:[^\n]*\n((?:[ \t]+[^\n]*\n|\s*\n|#[^\n]*\n|\{\{[^\n]*\n)*)/m.exec(
      `${readFileSync(one, 'utf8')}\n`,
    );
    const indent = /^([ \t]+)[\w"']/m.exec(block?.[1] ?? '')?.[1];
    if (indent === undefined) return [];
    return [...block[1].matchAll(new RegExp(`^${indent}["']?([\\w.-]+)["']?:`, 'gm'))].map(([, name]) => name);
  });
  return [...new Set(['default', ...found])].slice(0, 8);
}

/**
 * Runs helmfile; variables that it asks for are given to it, and to tshelm after it: that of files which were written
 * before helmfile 1, and are templates whatever their names, too.
 */
async function asked(words, cwd, given = {}) {
  const answer = await run(helmfile, words, { cwd, given });
  const isOld = answer.stderr.includes('Add the .gotmpl file extension');
  if (isOld && !('HELMFILE_RENDER_YAML' in given)) return asked(words, cwd, { ...given, HELMFILE_RENDER_YAML: 'true' });
  const name = /required env var `(\w+)` is not set/.exec(answer.stderr)?.[1];
  if (answer.code === 0 || name === undefined || name in given) return { ...answer, given };
  return asked(words, cwd, { ...given, [name]: name === 'PWD' ? cwd : `value-of-${name.toLowerCase()}` });
}

function run(program, words, { cwd, given }) {
  const own = { PATH: `${dirname(helmfile)}:${process.env.PATH}`, KUBECONFIG: '/nonexistent' };
  const env = { ...process.env, ...own, ...given };
  return new Promise((done) => {
    const options = { cwd, env, encoding: 'utf8', timeout: 60_000, maxBuffer: 512 * 1024 * 1024 };
    const child = execFile(program, words, options, (error, stdout, stderr) =>
      done({ code: error === null ? 0 : (error.code ?? 1), stdout, stderr }),
    );
    child.stdin.end();
  });
}

/** Of several files helmfile puts the working directory before a path that is whole; charts that it makes have names by chance. */
const shownText = (text, folder) =>
  text
    .replaceAll(folder, 'ROOT')
    .replace(/^(#  Source: ).*ROOT/gm, '$1ROOT')
    .replace(/^ *chartPath: .*\/chartify\d+\/.*\n/gm, '');

/** The documents of a stream without where they come from, in order: patched charts have other file names. */
const documentsOf = (text) =>
  text
    .split(/^---$/m)
    .map((one) => one.replace(/^#.*\n/gm, '').trim())
    .filter((one) => one !== '')
    .sort()
    .join('\n---\n');

/** All files of a folder, one after another, which is removed. */
function filesIn(path) {
  const names = readdirSync(path, { recursive: true }).filter((name) => statSync(join(path, name)).isFile());
  const text = names
    .sort((a, b) => (a < b ? -1 : 1))
    .map((name) => `==> ${name}\n${readFileSync(join(path, name), 'utf8')}`);
  rmSync(path, { recursive: true });
  return text.join('');
}

async function compared(path, environment, command) {
  const folder = dirname(path);
  const written = ['theirs', 'ours'].map((name) => mkdtempSync(join(tmpdir(), `tshelm-conformance-${name}-`)));
  const global = ['-f', basename(path), '-e', environment, ...(command === 'values' ? ['--chart', chart] : [])];
  const verb = calledThere[command] ?? command;
  const output = (at) => (verb === 'write-values' ? ['--output-file-template', `${written[at]}/${valuesName}`] : []);
  const unfetched = verb === 'template' ? ['--skip-deps'] : [];
  // helmfile fetches charts for their values and for the graph too.
  const theirMore = verb === 'write-values' || verb === 'show-dag' ? ['--skip-deps'] : unfetched;
  // Of several files it prints each when it is done; one after another they come in order.
  const theirs = await asked(['-q', '--sequential-helmfiles', ...global, verb, ...theirMore, ...output(0)], folder);
  const facts = { path: relative(stacks, path), environment, command };
  const ourVerb = command === 'values' ? 'template' : command;
  // Where it cannot prepare a chart or reach a repository, show-dag prints nothing and calls that success.
  const isAnswer = theirs.code === 0 && (verb !== 'show-dag' || theirs.stdout !== '');
  const ours = isAnswer
    ? await run(tshelm, ['stack', ourVerb, ...global, ...unfetched, ...output(1)], {
        cwd: folder,
        given: theirs.given,
      })
    : undefined;
  const files = written.map(filesIn);
  if (ours === undefined) return { ...facts, kind: 'refused', theirs: theirs.stderr.slice(0, 600) };
  const texts = [theirs.stdout, ours.stdout].map((text, at) => (verb === 'write-values' ? files[at] : text));
  const [expected, actual] = texts.map((text) => shownText(text, folder));
  if (ours.code === 0 && expected === actual) return { ...facts, kind: 'same' };
  if (verb === 'template' && ours.code === 0 && documentsOf(expected) === documentsOf(actual))
    return { ...facts, kind: 'same objects' };
  return { ...facts, kind: 'differs', error: ours.stderr.slice(0, 600), expected, actual };
}

const results = [];

async function compareAll(repository) {
  for (const path of stateFiles(join(stacks, repository))) {
    if (!existsSync(path) || (flags.filter !== undefined && !path.includes(flags.filter))) continue;
    for (const environment of environmentsOf(path)) {
      for (const command of commands) results.push(await compared(path, environment, command));
      process.stderr.write('.');
    }
  }
}

const waiting = readdirSync(stacks).filter((name) => statSync(join(stacks, name)).isDirectory());
async function work() {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await compareAll(next);
}
await Promise.all(Array.from({ length: Number(flags.jobs) }, work));
const count = (kind, command) =>
  results.filter((one) => one.kind === kind && (command === undefined || one.command === command)).length;
const repositories = (kinds) =>
  new Set(results.filter(({ kind }) => kinds.includes(kind)).map(({ path }) => path.split('/')[0])).size;
for (const one of results.filter(({ kind }) => kind === 'differs'))
  console.log(`differs: ${one.path} -e ${one.environment} ${one.command}: ${one.error.split('\n')[0]}`);
for (const command of commands) {
  const [same, objects, differs] = ['same', 'same objects', 'differs'].map((kind) => count(kind, command));
  console.log(
    `${command}: ${same} same, ${objects} same but for file names, ${differs} differ; ${count('refused', command)} refused by helmfile`,
  );
}
const all = count('same') + count('same objects') + count('differs');
console.log(
  `${all - count('differs')} of ${all} cases agree, in ${repositories(['same', 'same objects', 'differs'])} repositories`,
);
if (flags.json !== undefined) writeFileSync(flags.json, JSON.stringify(results, null, 1));
process.exitCode = count('differs') === 0 ? 0 : 1;
