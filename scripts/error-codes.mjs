// Writes docs/errors.md from the union of error codes: `npm run docs:errors`.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { messagesByCode } from './error-messages.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

function filesOfCodes() {
  const rooms = readdirSync(join(root, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return ['support/errors.ts', ...rooms.map(({ name }) => `${name}/error-codes.ts`)];
}

/** The details that any failure may have, by name, with their types: from `AddedDetails` of every room. */
export function addedDetails() {
  return filesOfCodes()
    .flatMap((file) => {
      const text = readIfThere(join(root, 'src', file));
      const block = /interface AddedDetails \{\n(.*?)\n {0,2}\}/s.exec(text)?.[1] ?? '';
      return [...block.matchAll(/\/\*\*\s*(.*?)\s*\*\/\s*readonly (\w+): (.*?);/gs)];
    })
    .map(([, meaning, name, type]) => ({ name, meaning, type: type.replaceAll('readonly ', '') }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Every code with what it means, the way out, and its details, by name: from `ErrorDetails` of every room. */
export function errorCodes() {
  return filesOfCodes()
    .flatMap(codesIn)
    .sort((a, b) => (a.code < b.code ? -1 : 1));
}

function codesIn(file) {
  const path = join(root, 'src', file);
  const text = readIfThere(path);
  const block = /interface ErrorDetails \{\n(.*?)\n {0,2}\}/s.exec(text)?.[1] ?? '';
  return [...block.matchAll(/\/\*\*(.*?)\*\/\s*'?([a-z-]+)'?:(.*?);(?=\n\s*\/\*\*|\s*$)/gs)].map(
    ([, comment, code, type]) => {
      const words = comment
        .replace(/^\s*\*\s?/gm, ' ')
        .replace(/\s+/g, ' ')
        .trim();
      const [, meaning = words, wayOut = ''] = /^(.*?\.) (.*)$/.exec(words) ?? [];
      const details = type.replaceAll('readonly ', '').replace(/\s+/g, ' ').trim();
      if (details.includes('/*')) throw new Error(`${file}: the details of ${code} need a type of their own`);
      return { code, meaning, wayOut, details: details === 'NoDetails' ? '' : details, file };
    },
  );
}

function readIfThere(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return '';
    throw error;
  }
}

/** The options of the library by the flags that they stand for. */
export const optionsOfFlags = {
  'allow-lost-order': 'allowLostOrder',
  allow: 'allow',
  assume: 'assume',
  'ca-file': 'caFile',
  'cert-file': 'certFile',
  concurrency: 'concurrency',
  crds: 'crds',
  'create-namespace': 'createNamespace',
  'delete-hooks': 'deleteHooks',
  eager: 'eager',
  'encrypt-to': 'save.encryptTo',
  'expires-in': 'save.expiresInMs',
  fail: 'fail',
  'force-conflicts': 'forceConflicts',
  'force-replace': 'forceReplace',
  'force-update': 'replace',
  'generate-name': 'name',
  'history-max': 'maxHistory',
  'include-needs': 'includeNeeds',
  install: 'install',
  'keep-history': 'keepHistory',
  'key-file': 'keyFile',
  keyring: 'keyring',
  'kube-apiserver': 'cluster.server',
  'kube-as-user': 'cluster.asUser',
  'kube-context': 'cluster.context',
  'kube-version': 'kubeVersion',
  kubeconfig: 'cluster.kubeconfig',
  labels: 'labels',
  n: 'namespace',
  'name-template': 'name',
  'no-hooks': 'noHooks',
  offline: 'network.offline',
  'passphrase-file': 'save.passphrase',
  'post-renderer': 'postRenderer',
  preflight: 'preflight',
  'readiness-timeout': 'readinessTimeoutMs',
  'registry-config': 'files.registryConfig',
  replace: 'replace',
  'repository-cache': 'files.repositoryCache',
  resume: 'resume',
  'server-side': 'serverSide',
  'set-file': 'setFile',
  'set-json': 'setJson',
  'set-literal': 'setLiteral',
  'set-string': 'setString',
  set: 'set',
  'show-only': 'showOnly',
  'sign-key': 'signKey',
  'skip-crds': 'skipCrds',
  'skip-needs': 'skipNeeds',
  'skip-schema-validation': 'skipSchemaValidation',
  'stale-after': 'staleAfterMs',
  'state-values-set': 'stateValues',
  'strict-plan': 'strictPlan',
  strict: 'strict',
  'take-ownership': 'takeOwnership',
  timeout: 'timeoutMs',
  'trim-record': 'trimRecord',
  version: 'version',
  'wait-lock': 'waitLockMs',
  wait: 'wait',
};

/** Calls that have another name than their commands. */
const calls = {
  dependency: 'dependencies.update()',
  'repo add': 'repositories.add()',
  'repo list': 'repositories.list()',
  'repo update': 'repositories.update()',
};
const commands = ['get', 'history', 'lint', 'list', 'pull', 'push', 'rollback', 'status', 'template', 'uninstall'];

/** The options and calls of the library for the flags and commands that a text names. */
function inLibrary(text, options) {
  const flags = [...text.matchAll(/(?<![\w-])--?([a-z]+(?:-[a-z]+)*)/g)].map(([, flag]) => options[flag]);
  const words = [...text.matchAll(/`(?:tshelm|helm) ([a-z]+)(?: ([a-z]+))?/g)].map(
    ([, first, second]) =>
      calls[`${first} ${second}`] ?? calls[first] ?? (commands.includes(first) ? `${first}()` : undefined),
  );
  return [...new Set([...flags, ...words])].filter((each) => each !== undefined);
}

/** The advice with the library's options and calls, or, if the advice names none, the options that the meaning names. */
function adviceOfLibrary({ meaning, wayOut }, options) {
  const advice = wayOut
    // A flag inside a code span is part of a command line, which stays as it is.
    .replace(/`[^`]*`|(?<![\w-])--([a-z]+(?:-[a-z]+)*)(?:=(\w+))?/g, (whole, flag, value) => {
      if (options[flag] === undefined) return whole;
      return value === undefined ? `\`${options[flag]}\`` : `\`${options[flag]}: '${value}'\``;
    })
    .replace(/`(?:tshelm|helm) ([a-z]+)(?: ([a-z]+))?[^`]*`/g, (whole, first, second) => {
      const call = calls[`${first} ${second}`] ?? calls[first] ?? (commands.includes(first) ? `${first}()` : undefined);
      return call === undefined ? whole : `\`${call}\``;
    });
  if (advice !== wayOut) return advice;
  const names = inLibrary(meaning, options).map((name) => `\`${name}\``);
  return names.length === 0 ? '' : `the ${names.length === 1 ? 'option' : 'options'} ${names.join(', ')}`;
}

export function errorPage() {
  const messages = messagesByCode(join(root, 'src'));
  const cell = (text) => text.replaceAll('|', '\\|');
  const sections = errorCodes().map((one) => sectionOf(one, messages.get(one.code) ?? []));
  return `# Error codes
Every failure has a code. You find it in the file of \`--report\`, in the events of \`--progress=json\` and in the JUnit file. In the library it is \`error.code\`, and \`error.details\` holds the details.
The message on standard error is Helm's where Helm has one. Codes in brackets, such as \`[field-type]\`, are [problems](problems.md); [troubleshooting](troubleshooting.md) begins with what you see. This page is made from the sources: \`npm run docs:errors\`.

Flags and commands are those of the command line; *in the library* gives the options and calls of the library where they differ. In messages, … stands for names and values.

${sections.join('\n')}
## Details that any failure may have
Details are added to a failure as it is passed up, so any of these may be present: check for each before you use it. The types are exported by the library ([api](api.md)).

| details | type | what it is |
|---|---|---|
${addedDetails()
  .map(({ name, type, meaning }) => `| \`${name}\` | \`${type}\` | ${cell(meaning)} |`)
  .join('\n')}
`;
}

/** What it means, what it prints, the way out. */
function sectionOf(one, messages) {
  const library = adviceOfLibrary(one, optionsOfFlags);
  return [
    `## ${one.code}`,
    one.meaning,
    ...(messages.length === 0 ? [] : ['```', ...messages, '```']),
    `- Fix: ${one.wayOut}`,
    ...(library === '' ? [] : [`- In the library: ${library}`]),
    ...(one.details === '' ? [] : [`- Details: \`${one.details}\``]),
    '',
  ].join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(join(root, 'docs/errors.md'), errorPage());
