import { type Completer, contexts, namespaces, releases, revisions } from './choices.ts';
import { directives, files, fixedChoices, noMoreArguments, nothing } from './directive.ts';
import {
  charts,
  chartVersions,
  manualNames,
  plugins,
  remoteCharts,
  repositories,
  setKeys,
  variables,
} from './local-choices.ts';

/** One completer for each argument; behind them nothing more may stand. */
const inOrder =
  (...completers: readonly Completer[]): Completer =>
  (completing) =>
    completers[completing.args.length]?.(completing) ?? noMoreArguments;

const anyFiles: Completer = () => files;
const anyWord: Completer = () => nothing;

/** `NAME CHART`, or with --generate-name `CHART` alone. Follows Helm's compInstall. */
const nameAndChart: Completer = (completing) =>
  completing.args.length === (completing.flags['generateName'] ? 0 : 1) ? charts(completing) : nothing;

/** What the arguments of a command may be, by its path; a command that is not named here takes files. */
export const argumentsOf: Readonly<Record<string, Completer>> = {
  'completion bash': inOrder(),
  'completion fish': inOrder(),
  'completion powershell': inOrder(),
  'completion zsh': inOrder(),
  create: inOrder(anyFiles),
  dag: inOrder(charts),
  diff: inOrder(releases, charts),
  apply: inOrder(anyFiles),
  'diff release': inOrder(releases, releases),
  'diff revision': inOrder(releases, revisions, revisions),
  'diff rollback': inOrder(releases, revisions),
  'diff upgrade': inOrder(releases, charts),
  docs: inOrder(),
  drift: inOrder(releases),
  env: inOrder(variables),
  explain: manualNames,
  'get all': inOrder(releases),
  'get hooks': inOrder(releases),
  'get manifest': inOrder(releases),
  'get metadata': inOrder(releases),
  'get notes': inOrder(releases),
  'get values': inOrder(releases),
  history: inOrder(releases),
  install: nameAndChart,
  list: inOrder(),
  plan: nameAndChart,
  'plan install': nameAndChart,
  'plan rollback': inOrder(releases, revisions),
  'plan uninstall': inOrder(releases),
  'plan upgrade': inOrder(releases, charts),
  'plugin list': inOrder(),
  'plugin install': inOrder(anyFiles),
  'plugin package': anyFiles,
  'plugin uninstall': plugins,
  'plugin update': plugins,
  'plugin verify': anyFiles,
  pull: (completing) => (completing.args.length === 0 ? remoteCharts(completing) : nothing),
  push: inOrder(anyFiles, () => ({ choices: ['oci://'] as const, directive: directives.noFiles | directives.noSpace })),
  'registry login': anyWord,
  'registry logout': anyWord,
  rehearse: nameAndChart,
  'repo add': inOrder(anyWord, anyWord),
  'repo index': inOrder(anyFiles),
  'repo list': inOrder(),
  'repo remove': repositories,
  'repo update': repositories,
  rollback: inOrder(releases, revisions),
  'secrets decrypt': inOrder(anyFiles),
  'secrets edit': inOrder(anyFiles),
  'secrets encrypt': inOrder(anyFiles),
  'show all': inOrder(charts),
  'show chart': inOrder(charts),
  'show crds': inOrder(charts),
  'show readme': inOrder(charts),
  'show values': inOrder(charts),
  'show-plan': inOrder(anyFiles),
  status: inOrder(releases),
  template: nameAndChart,
  test: inOrder(releases),
  uninstall: releases,
  upgrade: inOrder(releases, charts),
  verify: inOrder(anyFiles),
  version: inOrder(),
};

/** What the value of a flag may be, by its name, where the choices of its declaration do not say it; of others, files. */
export const valuesOf: Readonly<Record<string, Completer>> = {
  'kube-context': contexts,
  namespace: namespaces,
  set: setKeys,
  'set-file': setKeys,
  'set-json': setKeys,
  'set-literal': setKeys,
  'set-string': setKeys,
  revision: (completing) => (completing.args.length === 1 ? revisions(completing) : nothing),
  type: ({ path }) => (path === 'docs' ? fixedChoices(['bash', 'man', 'markdown']) : files),
  version: chartVersions,
};
