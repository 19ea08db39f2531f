import { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { checkFlags } from '../../src/actions/options/check.ts';
import { installFlags } from '../../src/actions/options/install.ts';
import { adoptFlags, moveFlags, renameFlags } from '../../src/actions/options/moves.ts';
import { rollbackFlags } from '../../src/actions/options/rollback.ts';
import { testFlags } from '../../src/actions/options/test.ts';
import { uninstallFlags } from '../../src/actions/options/uninstall.ts';
import { upgradeFlags } from '../../src/actions/options/upgrade.ts';
import { chartFlags, failureFlags, recordFlags } from '../../src/change/deploy/deploy-options.ts';
import { lockFlags } from '../../src/change/lock-options.ts';
import type { FlagSpec } from '../../src/change/option-rows.ts';
import type { CliContext } from '../../src/cli/context.ts';
import { normalizeArguments } from '../../src/cli/flags/argv.ts';
import { addFlags, globalFlags, verbosityFlag } from '../../src/cli/flags/flags.ts';
import { commands } from '../../src/cli/program.ts';
import { type GlobalFlags, settingsOf } from '../../src/cli/settings.ts';
import { helmPaths } from '../../src/source/paths.ts';

/**
 * Where a flag goes: its text, the place in what the command's `run` gets, and the value there. `flags.x` is what only the
 * terminal looks at; `undefined` is a flag that is taken for the sake of command lines of Helm, and changes nothing.
 */
type Rows = Readonly<Record<string, readonly [text: string, place: string | undefined, value?: unknown]>>;

/** What options that need no words of their own are given, by the type of their flags. */
const samples = { bool: 'true', choice: '', duration: '1m', int: '7', string: 'why' } as const;
const given = { bool: true, duration: 60_000, int: 7, string: 'why' } as const;

/** The rows of an action's options as they are declared: a new one is here by itself. */
const declared = (rows: Readonly<Record<string, FlagSpec & { readonly option: string }>>): Rows =>
  Object.fromEntries(
    Object.entries(rows).flatMap(([flag, { type, option, choices, parse }]): [string, Rows[string]][] => {
      const place = `options.${option}`;
      if (type === 'choice' && parse === undefined) return [[flag, [`${choices?.at(-1)}`, place, choices?.at(-1)]]];
      return type in given
        ? [[flag, [samples[type as keyof typeof given], place, given[type as keyof typeof given]]]]
        : [];
    }),
  );

const isSet = (place: string): Rows[string] => ['true', place, true];
const idle: Rows[string] = ['true', undefined];

/** Without a value it is refused. */
const restart: Rows = { 'recreate-pods': ['false', undefined] };

const wait: Rows = { wait: ['legacy', 'options.wait', 'legacy'] };
const failure: Rows = {
  'no-fail-fast': ['true', 'options.failFast', false],
  report: ['report.json', 'flags.report', 'report.json'],
};
const health: Rows = { health: ['health.yaml', 'flags.health', 'health.yaml'] };
const progress: Rows = {
  junit: ['junit.xml', 'flags.junit', 'junit.xml'],
  otel: isSet('flags.otel'),
  progress: ['plain', 'flags.progress', 'plain'],
};
const quiet: Rows = { quiet: isSet('flags.quiet') };
const values: Rows = {
  set: ['a=1', 'values.set', ['a=1']],
  'set-file': ['a=file', 'values.setFile', ['a=file']],
  'set-json': ['a={}', 'values.setJson', ['a={}']],
  'set-literal': ['a=1', 'values.setLiteral', ['a=1']],
  'set-string': ['a=1', 'values.setString', ['a=1']],
  values: ['a.yaml,b.yaml', 'values.valueFiles', ['a.yaml', 'b.yaml']],
};
const postRenderer: Rows = {
  'post-renderer': ['/bin/sh', 'flags.postRenderer', '/bin/sh'],
  'post-renderer-args': ['-n', 'flags.postRendererArgs', ['-n']],
};
const naming: Rows = {
  'generate-name': isSet('naming.generateName'),
  'name-template': ['x-{{ 1 }}', 'naming.nameTemplate', 'x-{{ 1 }}'],
};
const stackFiles: Rows = {
  'allow-no-matching-release': isSet('flags.allowNoMatchingRelease'),
  chart: ['./other', 'flags.chart', './other'],
  environment: ['dev', 'flags.environment', 'dev'],
  file: ['other.yaml', 'flags.file', 'other.yaml'],
  'kustomize-binary': ['./other', 'flags.kustomizeBinary', './other'],
  'no-color': ['true', 'flags.color', 'never'],
  'oci-plain-http': isSet('flags.ociPlainHttp'),
  quiet: isSet('flags.quiet'),
  selector: ['a=b', 'flags.selector', ['a=b']],
  'sequential-helmfiles': isSet('flags.fileOrder'),
  'skip-deps': isSet('flags.skipDeps'),
  'state-values-file': ['v.yaml', 'flags.stateValuesFile', ['v.yaml']],
  'state-values-set': ['a=1', 'flags.stateValuesSet', ['a=1']],
  'state-values-set-string': ['a=1', 'flags.stateValuesSetString', ['a=1']],
  untrusted: isSet('flags.untrusted'),
};
const stackNeeds: Rows = {
  'include-needs': isSet('flags.includeNeeds'),
  'include-transitive-needs': isSet('flags.includeTransitiveNeeds'),
  'skip-needs': isSet('flags.skipNeeds'),
};
const stackPlan: Rows = { ...stackNeeds, 'file-order': isSet('flags.fileOrder') };
const stackRun: Rows = { concurrency: ['3', 'flags.concurrency', 3], 'fail-fast': isSet('flags.failFast') };
const stackProgress: Rows = {
  junit: ['junit.xml', 'flags.junit', 'junit.xml'],
  otel: isSet('flags.otel'),
  progress: ['json', 'flags.progress', 'json'],
};
const stackTrust: Rows = {
  'certificate-identity': ['jo@example.com', 'flags.certificateIdentity', 'jo@example.com'],
  'certificate-identity-regexp': ['^jo@', 'flags.certificateIdentityRegexp', '^jo@'],
  'certificate-oidc-issuer': ['https://issuer', 'flags.certificateOidcIssuer', 'https://issuer'],
  'certificate-oidc-issuer-regexp': ['^https:', 'flags.certificateOidcIssuerRegexp', '^https:'],
  'insecure-ignore-tlog': isSet('flags.insecureIgnoreTlog'),
  key: ['cosign.pub', 'flags.key', 'cosign.pub'],
  keyring: ['ring.gpg', 'flags.keyring', 'ring.gpg'],
  'trust-policy': ['trust.yaml', 'flags.trustPolicy', 'trust.yaml'],
  'trusted-root': ['root.json', 'flags.trustedRoot', 'root.json'],
  verify: ['sigstore', 'flags.verify', 'sigstore'],
};
const stackValues: Rows = {
  set: ['a=1', 'flags.set', ['a=1']],
  values: ['a.yaml', 'flags.values', ['a.yaml']],
  ...stackTrust,
};
const stackUpgrade: Rows = {
  eager: isSet('flags.eager'),
  'no-lookup': isSet('flags.noLookup'),
  'replace-immutable': isSet('flags.replaceImmutable'),
  'skip-crds': isSet('flags.skipCrds'),
  'skip-schema-validation': isSet('flags.skipSchemaValidation'),
  'take-ownership': isSet('flags.takeOwnership'),
  timeout: ['1m', 'flags.timeout', 60_000],
  wait: ['legacy', 'flags.wait', 'legacy'],
  'wait-for-jobs': isSet('flags.waitForJobs'),
};
const stackDeploy: Rows = {
  ...stackFiles,
  ...stackPlan,
  ...stackRun,
  ...stackValues,
  ...stackUpgrade,
  logs: ['app=web', 'flags.logs', 'app=web'],
  resume: isSet('flags.resume'),
  'rollback-on-failure': ['stack', 'flags.rollbackOnFailure', 'stack'],
  ...health,
  ...stackProgress,
};
const labels: Rows = { labels: ['a=b,c=d', 'options.labels', { a: 'b', c: 'd' }] };
const takeFields: Rows = {
  'take-fields': ['Deployment:spec.replicas=leave', 'options.takeFields', ['Deployment:spec.replicas=leave']],
};
const ignored: Rows = { ignore: ['Deployment:spec.replicas', 'options.ignore', ['Deployment:spec.replicas']] };
const chart: Rows = { ...declared(chartFlags), ...labels, ...takeFields, ...wait };
const server: Rows = {
  'ca-file': ['ca.pem', 'access.caFile', 'ca.pem'],
  'cert-file': ['cert.pem', 'access.certFile', 'cert.pem'],
  'insecure-skip-tls-verify': isSet('access.insecureSkipTlsVerify'),
  'key-file': ['key.pem', 'access.keyFile', 'key.pem'],
  password: ['secret', 'access.password', 'secret'],
  'plain-http': isSet('access.plainHttp'),
  username: ['me', 'access.username', 'me'],
};
/** Whose signature is trusted. */
const signer = (place: string): Rows => ({
  'certificate-identity': ['me', `${place}.certificateIdentity`, 'me'],
  'certificate-identity-regexp': ['m.', `${place}.certificateIdentityRegexp`, 'm.'],
  'certificate-oidc-issuer': ['https://host', `${place}.certificateOidcIssuer`, 'https://host'],
  'certificate-oidc-issuer-regexp': ['host', `${place}.certificateOidcIssuerRegexp`, 'host'],
  'insecure-ignore-tlog': isSet(`${place}.insecureIgnoreTlog`),
  key: ['cosign.pub', `${place}.key`, 'cosign.pub'],
  'trusted-root': ['root.json', `${place}.trustedRoot`, 'root.json'],
});
const flagsPolicy: Rows = { 'trust-policy': ['trust.yaml', 'flags.trustPolicy', 'trust.yaml'] };
const checkedFile: Rows = {
  ...signer('flags'),
  keyring: ['ring.gpg', 'flags.keyring', 'ring.gpg'],
  verify: ['sigstore', 'flags.verify', 'sigstore'],
};
/** Where a chart is. */
const access: Rows = {
  ...server,
  devel: isSet('access.devel'),
  ...signer('access'),
  'trust-policy': ['trust.yaml', 'access.trustPolicy', 'trust.yaml'],
  keyring: ['ring.gpg', 'access.keyring', 'ring.gpg'],
  offline: isSet('flags.offline'),
  'pass-credentials': isSet('access.passCredentialsAll'),
  repo: ['https://host', 'access.repoUrl', 'https://host'],
  verify: ['sigstore', 'access.verify', 'sigstore'],
  version: ['^1', 'access.version', '^1'],
};
const order: Rows = {
  order: ['order.yaml', 'access.order', 'order.yaml'],
  'secret-refs': isSet('access.secretRefs'),
};
/** The servers of dependencies. */
const dependencyServer: Rows = Object.fromEntries(
  Object.entries({ ...server, offline: isSet('flags.offline') }).map(([flag, [text, place = '', value]]) => [
    flag,
    [text, place.replace('access.', 'flags.'), value] as const,
  ]),
);
const dependencyBuild: Rows = {
  ...dependencyServer,
  keyring: ['ring.gpg', 'flags.keyring', 'ring.gpg'],
  ...signer('flags'),
  ...flagsPolicy,
  'skip-refresh': isSet('flags.skipRefresh'),
  verify: isSet('flags.verify'),
};
const maxColumns: Rows = { 'max-col-width': ['7', 'flags.maxColWidth', 7] };
const search: Rows = { ...maxColumns, 'fail-on-no-result': isSet('flags.failOnNoResult') };
const output: Rows = { output: ['yaml', 'flags.output', 'yaml'] };
const capabilities = (place: string): Rows => ({
  'api-versions': ['a/v1,b/v1', `${place}.apiVersions`, ['a/v1', 'b/v1']],
  'kube-version': ['1.30', `${place}.kubeVersion`, '1.30'],
});
const revision: Rows = { revision: ['3', 'options.revision', 3] };
const showSecrets: Rows = { 'show-secrets': isSet('options.showSecrets') };
const dryRun: Rows = { 'dry-run': ['server', 'options.dryRun', 'server'] };

const fail: Rows = { fail: ['web', 'flags.fail', 'web'] };
const deploy: Rows = {
  'dependency-update': isSet('flags.dependencyUpdate'),
  ...access,
  ...declared({ ...failureFlags, ...lockFlags, ...recordFlags }),
  ...chart,
  ...dryRun,
  ...failure,
  ...health,
  ...output,
  ...postRenderer,
  ...progress,
  ...values,
  ...order,
  'hide-notes': isSet('flags.hideNotes'),
  ...quiet,
};
const replaced: Rows = { replace: ['Job/a,Job/b', 'options.replaceObjects', ['Job/a', 'Job/b']] };
const upgrade: Rows = {
  ...declared(upgradeFlags),
  ...replaced,
  ...deploy,
  'server-side': ['1', 'options.serverSide', 'true'],
};
const { install: _implied, ...ofRelease } = upgrade;
const rollback: Rows = {
  ...declared(rollbackFlags),
  ...replaced,
  ...dryRun,
  ...failure,
  ...health,
  ...progress,
  ...takeFields,
  ...wait,
  'server-side': ['false', 'options.serverSide', 'false'],
  ...quiet,
};
const exitCode: Rows = {
  'detailed-exitcode': isSet('flags.detailedExitcode'),
  'exit-code': isSet('flags.exitCode'),
};
const diff: Rows = {
  context: ['5', 'flags.context', 5],
  ...exitCode,
  output: ['json', 'flags.output', 'json'],
};
const diffUpgrade: Rows = {
  ...upgrade,
  ...fail,
  ...diff,
  ...showSecrets,
  'allow-unreleased': isSet('options.install'),
  'dry-run': ['server', undefined],
  health: ['health.yaml', undefined],
  'hide-notes': idle,
  'hide-secret': idle,
  junit: ['junit.xml', undefined],
  otel: ['true', undefined],
  progress: ['plain', undefined],
  quiet: idle,
  report: ['report.json', undefined],
};
/** What helm-diff's commands have beside; `context` and `output` are those of every form of `diff`. */
const manifests: Rows = {
  ...diff,
  color: ['always', 'flags.color', 'always'],
  'find-renames': ['0.5', 'flags.findRenames', 0.5],
  'include-tests': isSet('flags.includeTests'),
  'no-color': isSet('flags.noColor'),
  'normalize-manifests': isSet('flags.normalizeManifests'),
  'show-secrets': isSet('flags.showSecrets'),
  'show-secrets-decoded': isSet('flags.showSecretsDecoded'),
  'strip-trailing-cr': isSet('flags.stripTrailingCr'),
  suppress: ['Job', 'flags.suppress', ['Job']],
  'suppress-output-line-regex': ['a', 'flags.suppressOutputLineRegex', ['a']],
  'suppress-secrets': isSet('flags.suppressSecrets'),
};
const manifestUpgrade: Rows = {
  ...capabilities('flags'),
  ...manifests,
  'disable-validation': isSet('flags.disableValidation'),
  'dry-run': ['server', 'flags.dryRun', 'server'],
  'include-crds': isSet('flags.includeCrds'),
  live: idle,
  'three-way-merge': isSet('flags.threeWayMerge'),
};
const diffRollback: Rows = {
  ...rollback,
  ...diff,
  ...showSecrets,
  'dry-run': ['server', undefined],
  health: ['health.yaml', undefined],
  junit: ['junit.xml', undefined],
  otel: ['true', undefined],
  progress: ['plain', undefined],
  quiet: idle,
  report: ['report.json', undefined],
};

const savedPlan: Rows = {
  'expires-in': ['1h', 'flags.expiresIn', 3_600_000],
  out: ['a.plan', 'flags.out', 'a.plan'],
  'sign-key': ['key', 'flags.signKey', 'key'],
};
const planForm: Rows = {
  ...savedPlan,
  'encrypt-to': ['age1x', 'flags.encryptTo', ['age1x']],
  'passphrase-file': ['file', 'flags.passphraseFile', 'file'],
  ...exitCode,
  output: ['dot', 'flags.output', 'dot'],
};
/** A plan is shown, not run: it has no flags for how a run goes. */
const planned = (rows: Rows): Rows =>
  Object.fromEntries(
    Object.entries({ ...rows, ...planForm, diff: isSet('flags.diff') }).filter(
      ([name]) =>
        ![
          'dry-run',
          'health',
          'hide-notes',
          'hide-secret',
          'junit',
          'otel',
          'progress',
          'quiet',
          'report',
          'skip-unchanged',
        ].includes(name),
    ),
  );

const completion: Rows = { 'no-descriptions': isSet('flags.noDescriptions') };

/** The flags of a chart of which `template` takes no notice, as Helm's takes none. */
const idleInTemplate: Rows = Object.fromEntries(
  Object.entries(chart)
    .filter(
      ([name]) =>
        ![
          'allow-lost-order',
          'enable-dns',
          'no-hooks',
          'no-lookup',
          'skip-schema-validation',
          'strict-plan',
          'wait',
        ].includes(name),
    )
    .map(([name, [text]]) => [name, [text, undefined]]),
);

const install: Rows = {
  ...declared(installFlags),
  ...deploy,
  ...naming,
  'server-side': ['false', 'options.serverSide', false],
};
const uninstall: Rows = {
  ...quiet,
  ...declared(uninstallFlags),
  'keep-objects': ['tier=data', 'options.keepObjects', ['tier=data']],
  ...failure,
  ...progress,
  ...wait,
  cascade: ['orphan', 'options.cascade', 'orphan'],
};

/** Each command with words that it can be run with, and each of its flags. */
const table: Readonly<Record<string, readonly [words: string, flags: Rows]>> = {
  adopt: [
    'web ./chart ConfigMap/settings',
    {
      ...declared(adoptFlags),
      ...savedPlan,
      ...access,
      ...values,
      ...order,
      ...output,
      'dependency-update': isSet('flags.dependencyUpdate'),
      offline: isSet('flags.offline'),
    },
  ],
  apply: [
    'a.plan',
    {
      ...quiet,
      ...access,
      ...health,
      ...output,
      ...progress,
      ...values,
      ...order,
      allow: ['Deployment/web', 'flags.allow', ['Deployment/web']],
      concurrency: ['3', 'flags.concurrency', 3],
      'hide-notes': isSet('flags.hideNotes'),
      identity: ['keys', 'flags.identity', ['keys']],
      'passphrase-file': ['file', 'flags.passphraseFile', 'file'],
      release: ['shop/web', 'flags.release', ['shop/web']],
      report: ['report.json', 'flags.report', 'report.json'],
      'verify-key': ['key.pub', 'flags.verifyKey', ['key.pub']],
    },
  ],
  'completion bash': ['', completion],
  'completion fish': ['', completion],
  'completion powershell': ['', completion],
  'completion zsh': ['', completion],
  create: [
    'web',
    { 'chart-api-version': ['v3', 'flags.chartApiVersion', 'v3'], starter: ['mine', 'flags.starter', 'mine'] },
  ],
  'dependency build': ['./chart', dependencyBuild],
  'dependency list': ['./chart', maxColumns],
  'dependency update': ['./chart', { ...dependencyBuild, recursive: isSet('flags.recursive') }],
  dag: ['./chart', { ...access, ...output, ...values, ...order }],
  diff: ['web ./chart', { ...diffUpgrade, 'chart-values': isSet('flags.chartValues') }],
  'diff upgrade': ['web ./chart', { ...diffUpgrade, ...manifestUpgrade, ...showSecrets }],
  'diff rollback': ['web 1 --live', { ...diffRollback, ...manifests, ...showSecrets, live: idle }],
  check: [
    'web ./chart',
    {
      ...access,
      ...quiet,
      ...capabilities('options'),
      ...declared(checkFlags),
      ...order,
      ...postRenderer,
      ...values,
      ...wait,
      cluster: isSet('flags.cluster'),
      crds: ['a,b', 'flags.crds', ['a', 'b']],
      'dependency-update': isSet('flags.dependencyUpdate'),
      'fail-on': ['warning', 'flags.failOn', 'warning'],
      'ignore-file': ['known', 'flags.ignoreFile', 'known'],
      output: ['json', 'flags.output', 'json'],
      policies: ['a,b', 'flags.policies', ['a', 'b']],
      release: ['web', 'flags.release', 'web'],
      'values-schema': isSet('flags.valuesSchema'),
    },
  ],
  'diff revision': ['web 1', manifests],
  'diff release': ['web shop', manifests],
  'diff values': [
    'web ./chart',
    {
      ...access,
      ...exitCode,
      ...values,
      'old-version': ['1.0.0', 'flags.oldVersion', '1.0.0'],
      output: ['markdown', 'flags.output', 'markdown'],
    },
  ],
  drift: [
    'web',
    {
      ...output,
      ...quiet,
      ...revision,
      ...showSecrets,
      ...ignored,
      ...savedPlan,
      fix: isSet('flags.fix'),
      yes: isSet('flags.yes'),
      concurrency: ['3', 'options.concurrency', 3],
      ...exitCode,
    },
  ],
  docs: [
    '',
    {
      dir: ['out', 'flags.dir', 'out'],
      'generate-headers': isSet('flags.generateHeaders'),
      type: ['man', 'flags.type', 'man'],
    },
  ],
  env: ['', {}],
  explain: ['waiting', {}],
  lsp: ['', { 'kube-version': ['1.34', 'flags.kubeVersion', '1.34'] }],
  'get all': ['web', { ...revision, ...output, template: ['{{ 1 }}', 'flags.template', '{{ 1 }}'] }],
  'get hooks': ['web', revision],
  'get manifest': ['web', revision],
  'get metadata': ['web', { ...revision, ...output }],
  'get notes': ['web', revision],
  'get values': ['web', { ...revision, ...output, all: isSet('options.all') }],
  health: ['Widget', { ...health, ...output }],
  history: [
    'web',
    { ...output, max: ['3', 'options.max', 3], 'show-rollback-revision': isSet('flags.showRollbackRevision') },
  ],
  config: ['', { output: ['json', 'flags.output', 'json'] }],
  doctor: [
    './chart',
    {
      ...access,
      ...quiet,
      ...values,
      ...order,
      'dependency-update': isSet('flags.dependencyUpdate'),
      output: ['json', 'flags.output', 'json'],
      role: isSet('flags.role'),
    },
  ],
  images: [
    './chart',
    {
      ...access,
      ...values,
      ...order,
      ...capabilities('capabilities'),
      'dependency-update': isSet('flags.dependencyUpdate'),
      output: ['list', 'flags.output', 'list'],
      out: ['pins.yaml', 'flags.out', 'pins.yaml'],
      pin: isSet('flags.pin'),
      resolve: isSet('flags.resolve'),
      'verify-images': isSet('flags.verifyImages'),
    },
  ],
  install: ['web ./chart', { ...install, ...fail }],
  lint: [
    './chart',
    {
      ...values,
      ...wait,
      'kube-version': ['1.30', 'flags.kubeVersion', '1.30'],
      quiet: isSet('flags.quiet'),
      'secret-refs': isSet('flags.secretRefs'),
      'skip-schema-validation': isSet('options.skipSchemaValidation'),
      strict: isSet('options.strict'),
      'with-subcharts': isSet('flags.withSubcharts'),
    },
  ],
  logs: [
    'web',
    {
      container: ['main', 'options.container', 'main'],
      follow: isSet('options.follow'),
      previous: isSet('options.previous'),
      selector: ['app=web', 'options.selector', 'app=web'],
      since: ['5m', 'options.sinceMs', 300_000],
      tail: ['7', 'options.tail', 7],
    },
  ],
  list: [
    '',
    {
      ...output,
      all: idle,
      'all-namespaces': isSet('options.allNamespaces'),
      date: isSet('options.byDate'),
      deployed: ['true', 'options.statuses', ['deployed']],
      failed: ['true', 'options.statuses', ['failed']],
      filter: ['^a', 'flags.filter', '^a'],
      max: ['7', 'options.limit', 7],
      'no-headers': isSet('flags.noHeaders'),
      offset: ['2', 'options.offset', 2],
      pending: ['true', 'options.statuses', ['pending-install', 'pending-rollback', 'pending-upgrade']],
      reverse: isSet('options.reverse'),
      selector: ['a=b', 'options.labelSelector', 'a=b'],
      short: isSet('flags.short'),
      superseded: ['true', 'options.statuses', ['superseded']],
      'time-format': ['2006', 'flags.timeFormat', '2006'],
      uninstalled: ['true', 'options.statuses', ['uninstalled']],
      uninstalling: ['true', 'options.statuses', ['uninstalling']],
    },
  ],
  mcp: [
    '',
    {
      offline: isSet('flags.offline'),
      identity: ['keys.txt', 'flags.identity', ['keys.txt']],
      'passphrase-file': ['file', 'flags.passphraseFile', 'file'],
      'release-key': ['key.pub', 'flags.releaseKey', ['key.pub']],
    },
  ],
  migrate: ['.', { output: ['json', 'flags.output', 'json'] }],
  move: ['web ConfigMap/settings --to other', { ...declared(moveFlags), ...output, ...savedPlan }],
  package: [
    './chart',
    {
      ...dependencyServer,
      'app-version': ['2', 'flags.appVersion', '2'],
      'dependency-update': isSet('flags.dependencyUpdate'),
      destination: ['out', 'flags.destination', 'out'],
      key: ['me', 'flags.key', 'me'],
      keyring: ['ring.gpg', 'flags.keyring', 'ring.gpg'],
      'passphrase-file': ['file', 'flags.passphraseFile', 'file'],
      ...flagsPolicy,
      sign: ['sigstore', 'flags.sign', 'sigstore'],
      version: ['2.0.0', 'flags.version', '2.0.0'],
    },
  ],
  plan: [
    './chart',
    {
      ...planned(ofRelease),
      ...capabilities('capabilities'),
      action: ['install', 'flags.action', 'install'],
      release: ['web', 'flags.release', 'web'],
      revision: ['3', 'flags.revision', 3],
    },
  ],
  'plan install': ['web ./chart', { ...planned(install), 'server-side': ['false', 'options.serverSide', 'false'] }],
  'plan release': [
    'a.plan',
    {
      'sign-key': ['a.key', 'flags.signKey', 'a.key'],
      'verify-key': ['key.pub', 'flags.verifyKey', ['key.pub']],
    },
  ],
  'plan rollback': ['web 1', planned(rollback)],
  'plan uninstall': ['web', planned(uninstall)],
  'plan upgrade': ['web ./chart', planned(upgrade)],
  'plugin install': [
    './dir',
    {
      ...Object.fromEntries(Object.entries(dependencyServer).filter(([flag]) => flag !== 'offline')),
      ...signer('flags'),
      ...flagsPolicy,
      keyring: ['ring.gpg', 'flags.keyring', 'ring.gpg'],
      verify: ['false', 'flags.verify', false],
      version: ['1', 'flags.version', '1'],
    },
  ],
  'plugin list': ['', { type: ['cli/v1', 'flags.type', 'cli/v1'] }],
  'plugin package': [
    './dir',
    {
      destination: ['out', 'flags.destination', 'out'],
      key: ['me', 'flags.key', 'me'],
      keyring: ['ring.gpg', 'flags.keyring', 'ring.gpg'],
      'passphrase-file': ['file', 'flags.passphraseFile', 'file'],
      sign: ['false', 'flags.sign', false],
    },
  ],
  'plugin uninstall': ['web', {}],
  'plugin update': ['web', {}],
  'plugin verify': ['web-1.0.0.tgz', checkedFile],
  pull: [
    './chart',
    {
      ...access,
      destination: ['dir', 'flags.destination', 'dir'],
      'image-list': ['json', 'flags.imageList', 'json'],
      prov: isSet('flags.prov'),
      untar: isSet('flags.untar'),
      untardir: ['dir', 'flags.untardir', 'dir'],
    },
  ],
  push: [
    'chart.tgz oci://host/charts',
    {
      ...server,
      offline: isSet('flags.offline'),
      key: ['cosign.key', 'flags.key', 'cosign.key'],
      sign: ['sigstore', 'flags.sign', 'sigstore'],
    },
  ],
  'registry login': [
    'host',
    {
      'ca-file': ['ca.pem', 'access.caFile', 'ca.pem'],
      'cert-file': ['cert.pem', 'access.certFile', 'cert.pem'],
      insecure: isSet('access.insecureSkipTlsVerify'),
      'key-file': ['key.pem', 'access.keyFile', 'key.pem'],
      password: ['secret', 'access.password', 'secret'],
      'password-stdin': isSet('flags.passwordStdin'),
      'plain-http': isSet('access.plainHttp'),
      username: ['me', 'access.username', 'me'],
    },
  ],
  'registry logout': ['host', {}],
  rehearse: [
    './chart',
    {
      ...access,
      ...chart,
      ...health,
      ...output,
      ...postRenderer,
      ...values,
      ...order,
      action: ['install', 'flags.action', 'install'],
      assume: ['a=1s', 'flags.assume', new Map([['a', '1s']])],
      compare: isSet('flags.compare'),
      fail: ['web', 'flags.fail', 'web'],
      release: ['web', 'flags.release', 'web'],
      revision: ['3', 'flags.revision', 3],
    },
  ],
  'order suggest': [
    './chart',
    {
      ...access,
      ...values,
      ...order,
      ...capabilities('capabilities'),
      'dependency-update': isSet('flags.dependencyUpdate'),
      'from-run': ['web', 'flags.fromRun', 'web'],
    },
  ],
  rename: ['web store', { ...declared(renameFlags), ...output, ...savedPlan }],
  'repo add': [
    'web https://host',
    {
      'allow-deprecated-repos': isSet('flags.allowDeprecatedRepos'),
      'no-update': idle,
      'ca-file': ['ca.pem', 'flags.caFile', 'ca.pem'],
      'cert-file': ['cert.pem', 'flags.certFile', 'cert.pem'],
      'force-update': isSet('flags.forceUpdate'),
      offline: isSet('flags.offline'),
      'insecure-skip-tls-verify': isSet('flags.insecureSkipTlsVerify'),
      'key-file': ['key.pem', 'flags.keyFile', 'key.pem'],
      'pass-credentials': isSet('flags.passCredentials'),
      password: ['secret', 'flags.password', 'secret'],
      'password-stdin': isSet('flags.passwordStdin'),
      timeout: ['1m', 'flags.timeout', 60_000],
      username: ['me', 'flags.username', 'me'],
    },
  ],
  'repo index': [
    '.',
    {
      json: isSet('flags.json'),
      merge: ['old.yaml', 'flags.merge', 'old.yaml'],
      url: ['https://host', 'flags.url', 'https://host'],
    },
  ],
  options: ['', {}],
  'repo list': ['', { ...output, 'no-headers': isSet('flags.noHeaders') }],
  'repo remove': ['web', {}],
  'repo update': [
    '',
    { 'fail-on-repo-update-fail': idle, offline: isSet('flags.offline'), timeout: ['1m', 'flags.timeout', 60_000] },
  ],
  rollback: ['web 2', { ...rollback, ...restart }],
  sandbox: [
    '',
    {
      port: ['8080', 'options.port', 8080],
      'kube-version': ['1.34', 'options.kubeVersion', '1.34'],
      'write-kubeconfig': ['file', 'flags.writeKubeconfig', 'file'],
    },
  ],
  'sandbox reset': ['', {}],
  'secrets decrypt': ['secrets.yaml', { 'in-place': isSet('flags.inPlace'), terraform: isSet('flags.terraform') }],
  'secrets edit': ['secrets.yaml', {}],
  'secrets encrypt': ['secrets.yaml', { 'in-place': isSet('flags.inPlace') }],
  search: [
    'oci://host/chart',
    {
      ...search,
      ...output,
      'ca-file': ['ca.pem', 'flags.caFile', 'ca.pem'],
      'cert-file': ['cert.pem', 'flags.certFile', 'cert.pem'],
      'insecure-skip-tls-verify': isSet('flags.insecureSkipTlsVerify'),
      'key-file': ['key.pem', 'flags.keyFile', 'key.pem'],
      password: ['secret', 'flags.password', 'secret'],
      offline: isSet('flags.offline'),
      'plain-http': isSet('flags.plainHttp'),
      username: ['me', 'flags.username', 'me'],
      version: ['^1', 'flags.version', '^1'],
    },
  ],
  'search hub': [
    'web',
    {
      ...output,
      ...search,
      endpoint: ['https://host', 'flags.endpoint', 'https://host'],
      'list-repo-url': isSet('flags.listRepoUrl'),
    },
  ],
  'search repo': [
    'web',
    {
      ...output,
      ...search,
      devel: isSet('flags.devel'),
      regexp: isSet('flags.regexp'),
      version: ['^1', 'flags.version', '^1'],
      versions: isSet('flags.versions'),
    },
  ],
  'show all': ['./chart', access],
  'show chart': ['./chart', access],
  'show crds': ['./chart', access],
  'show readme': ['./chart', access],
  'show values': ['./chart', { ...access, jsonpath: ['{.a}', 'flags.jsonpath', '{.a}'] }],
  'stack apply': ['', stackDeploy],
  'stack build': ['', stackFiles],
  'stack dag': ['', { ...stackFiles, output: ['html', 'flags.output', 'html'] }],
  'stack deps': ['', { ...stackFiles, ...stackTrust, 'skip-repos': isSet('flags.skipRepos') }],
  'stack destroy': [
    '',
    { ...stackFiles, ...stackPlan, ...stackRun, ...stackProgress, cascade: ['orphan', 'flags.cascade', 'orphan'] },
  ],
  'stack diff': [
    '',
    {
      ...stackFiles,
      ...stackNeeds,
      ...stackValues,
      concurrency: ['3', 'flags.concurrency', 3],
      context: ['5', 'flags.context', 5],
      ...exitCode,
      'no-lookup': isSet('flags.noLookup'),
      output: ['markdown', 'flags.output', 'markdown'],
      'show-secrets': isSet('flags.showSecrets'),
    },
  ],
  'stack drift': [
    '',
    {
      ...stackFiles,
      ...stackNeeds,
      ...savedPlan,
      concurrency: ['3', 'flags.concurrency', 3],
      fix: isSet('flags.fix'),
      ignore: ['Deployment:spec.replicas', 'flags.ignore', ['Deployment:spec.replicas']],
      yes: isSet('flags.yes'),
      ...exitCode,
      output: ['json', 'flags.output', 'json'],
      'show-secrets': isSet('flags.showSecrets'),
    },
  ],
  'stack fetch': [
    '',
    {
      ...stackFiles,
      ...stackTrust,
      concurrency: ['3', 'flags.concurrency', 3],
      'output-dir': ['out', 'flags.outputDir', 'out'],
      'output-dir-template': ['{{ .OutputDir }}', 'flags.outputDirTemplate', '{{ .OutputDir }}'],
      'write-output': isSet('flags.writeOutput'),
    },
  ],
  'stack repos': ['', stackFiles],
  'stack export': [
    '',
    {
      ...stackFiles,
      ...stackPlan,
      jobs: ['3', 'flags.jobs', 3],
      to: ['gitlab-ci', 'flags.to', 'gitlab-ci'],
      'with-plan': isSet('flags.withPlan'),
    },
  ],
  'stack check': [
    '',
    {
      ...capabilities('flags'),
      ...Object.fromEntries(
        Object.entries(declared(checkFlags)).map(([flag, [given, place, ...rest]]) => [
          flag,
          [given, place?.replace('options.', 'flags.'), ...rest],
        ]),
      ),
      ...stackFiles,
      ...stackNeeds,
      ...stackValues,
      cluster: isSet('flags.cluster'),
      crds: ['a,b', 'flags.crds', ['a', 'b']],
      'fail-on': ['warning', 'flags.failOn', 'warning'],
      'ignore-file': ['known', 'flags.ignoreFile', 'known'],
      output: ['sarif', 'flags.output', 'sarif'],
      policies: ['a,b', 'flags.policies', ['a', 'b']],
      wait: ['ordered', 'flags.wait', 'ordered'],
    },
  ],
  'stack lint': [
    '',
    {
      ...stackFiles,
      ...stackNeeds,
      ...stackValues,
      'skip-schema-validation': isSet('flags.skipSchemaValidation'),
      strict: isSet('flags.strict'),
      wait: ['ordered', 'flags.wait', 'ordered'],
    },
  ],
  'stack test': [
    '',
    {
      ...stackFiles,
      ...stackNeeds,
      ...stackRun,
      ...stackProgress,
      logs: ['app=web', 'flags.logs', 'app=web'],
      timeout: ['1m', 'flags.timeout', 60_000],
    },
  ],
  'stack write-values': [
    '',
    {
      ...stackFiles,
      'output-file-template': ['{{ .Release.Name }}', 'flags.outputFileTemplate', '{{ .Release.Name }}'],
      values: ['a.yaml', 'flags.values', ['a.yaml']],
    },
  ],
  'stack list': ['', { ...stackFiles, output: ['json', 'flags.output', 'json'] }],
  'stack plan': [
    '',
    {
      ...stackFiles,
      ...stackPlan,
      ...stackValues,
      ...stackUpgrade,
      ...planForm,
      concurrency: ['3', 'flags.concurrency', 3],
      output: ['markdown', 'flags.output', 'markdown'],
    },
  ],
  'stack rehearse': [
    '',
    {
      ...stackFiles,
      ...stackPlan,
      ...stackRun,
      ...stackValues,
      ...stackUpgrade,
      ...health,
      assume: ['Deployment=30s', 'flags.assume', new Map([['Deployment', '30s']])],
      fail: ['shop/web', 'flags.fail', 'shop/web'],
      live: isSet('flags.live'),
      output: ['html', 'flags.output', 'html'],
    },
  ],
  'stack status': ['', { ...stackFiles, ...stackNeeds }],
  'stack sync': ['', stackDeploy],
  'stack template': [
    '',
    {
      ...stackFiles,
      ...stackNeeds,
      ...stackValues,
      'api-versions': ['a/v1,b/v1', 'flags.apiVersions', ['a/v1', 'b/v1']],
      'include-crds': isSet('flags.includeCrds'),
      'kube-version': ['1.30', 'flags.kubeVersion', '1.30'],
      'no-hooks': isSet('flags.noHooks'),
      'show-only': ['a.yaml', 'flags.showOnly', ['a.yaml']],
      'skip-schema-validation': isSet('flags.skipSchemaValidation'),
      'skip-tests': isSet('flags.skipTests'),
    },
  ],
  'show-plan': [
    'a.plan',
    {
      ...exitCode,
      diff: isSet('flags.diff'),
      output: ['dot', 'flags.output', 'dot'],
      release: ['web', 'flags.release', 'web'],
      'verify-key': ['key.pub', 'flags.verifyKey', ['key.pub']],
    },
  ],
  status: [
    'web',
    { ...output, ...revision, 'show-desc': idle, 'show-resources': ['false', 'options.showResources', false] },
  ],
  template: [
    'web ./chart',
    {
      'dependency-update': isSet('flags.dependencyUpdate'),
      ...access,
      ...chart,
      ...idleInTemplate,
      ...capabilities('options'),
      ...naming,
      ...postRenderer,
      ...values,
      ...order,
      'dry-run': ['server', 'flags.dryRun', 'server'],
      'hide-notes': idle,
      'include-crds': isSet('options.includeCrds'),
      'is-upgrade': isSet('options.isUpgrade'),
      labels: ['a=b,c=d', 'options.labels', { a: 'b', c: 'd' }],
      'output-dir': ['out', 'options.outputDirectory', 'out'],
      'release-name': isSet('options.useReleaseName'),
      replace: idle,
      'server-side': idle,
      'skip-crds': isSet('options.skipCrds'),
      'show-only': ['a.yaml', 'options.showOnly', ['a.yaml']],
      'skip-tests': isSet('options.skipTests'),
      validate: isSet('flags.validate'),
    },
  ],
  test: [
    'web',
    {
      ...declared(testFlags),
      ...failure,
      ...progress,
      'hide-notes': idle,
      filter: ['name=a', 'options.include', ['a']],
    },
  ],
  uninstall: ['web', uninstall],
  unittest: [
    './chart',
    {
      'chart-tests-path': ['suites', 'flags.chartTestsPath', 'suites'],
      color: ['never', 'flags.color', 'never'],
      coverage: isSet('flags.coverage'),
      'coverage-file': ['lcov.info', 'flags.coverageFile', 'lcov.info'],
      debugPlugin: isSet('flags.debugPlugin'),
      failfast: isSet('flags.failfast'),
      file: ['tests/*.yaml', 'flags.file', ['tests/*.yaml']],
      'output-file': ['report.xml', 'flags.outputFile', 'report.xml'],
      'output-type': ['JUnit', 'flags.outputType', 'JUnit'],
      'skip-schema-validation': isSet('flags.skipSchemaValidation'),
      strict: isSet('flags.strict'),
      'update-snapshot': isSet('flags.updateSnapshot'),
      values: ['a.yaml', 'flags.values', ['a.yaml']],
      watch: isSet('flags.watch'),
      'with-subchart': ['false', 'flags.withSubchart', false],
    },
  ],
  upgrade: ['web ./chart', { ...upgrade, ...fail, ...restart }],
  verify: ['web-1.0.0.tgz', checkedFile],
  version: [
    '',
    { client: isSet('flags.client'), short: isSet('flags.short'), template: ['{{ 1 }}', 'flags.template', '{{ 1 }}'] },
  ],
};

type Run = (request: Readonly<Record<string, unknown>>, context: CliContext) => Promise<void>;
/** A command with a part for each of its forms (`get values`) takes an object of run functions. */
const anyRun = (run: Run): Run => new Proxy(run, { get: () => run });

async function programWith(name: string, run: Run): Promise<Command> {
  const found = commands.find((command) => command.name === name);
  const factory = (await found?.load()) as (context: CliContext, run: Run) => Command;
  const io = { env: {}, stderr: { write: () => undefined } };
  const context = { io, settings: (flags: GlobalFlags) => settingsOf(flags, {}) } as unknown as CliContext;
  return addFlags(new Command('tshelm'), globalFlags)
    .exitOverride()
    .addCommand(factory(context, anyRun(run)));
}

const innermost = (program: Command, path: readonly string[]): Command =>
  path.reduce((at, name) => at.commands.find((command) => command.name() === name) as Command, program);

/** What `run` gets for a command line, by place: `options.wait`, `flags.output`. */
async function placesOf(path: readonly string[], words: readonly string[]): Promise<Record<string, unknown>> {
  const places: Record<string, unknown> = {};
  const program = await programWith(path[0] as string, async (request) => {
    for (const [part, content] of Object.entries(request)) {
      const isGroup = typeof content === 'object' && content !== null && !Array.isArray(content);
      if (!isGroup) places[part] = content;
      else for (const [name, value] of Object.entries(content)) places[`${part}.${name}`] = value;
    }
  });
  await program.parseAsync([...path, ...normalizeArguments(innermost(program, path), words)], { from: 'user' });
  return places;
}

const withoutFlags = (places: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(places).filter(([place]) => !place.startsWith('flags.')));

describe.each(Object.entries(table))('%s', (name, [wordText, rows]) => {
  const path = name.split(' ');
  const words = wordText.split(' ').filter((word) => word !== '');

  test('has just these flags', async () => {
    const command = innermost(await programWith(path[0] as string, async () => undefined), path);
    const names = command.options.map(({ long }) => `${long}`.slice(2));
    expect(names.sort()).toEqual(Object.keys(rows).sort());
  });

  test.each(Object.entries(rows))('--%s', async (flag, [text, place, value]) => {
    const without = await placesOf(path, words);
    const given = await placesOf(path, [...words, `--${flag}=${text}`]);
    if (place === undefined) {
      expect(withoutFlags(given)).toEqual(withoutFlags(without));
      return;
    }
    expect(without[place]).not.toEqual(value);
    expect(withoutFlags({ ...given, [place]: undefined })).toEqual(withoutFlags({ ...without, [place]: undefined }));
    expect(given[place]).toEqual(value);
  });
});

test('what tells of changes by its exit code has both names of the flag for it', () => {
  const names = Object.keys(exitCode);
  const found = Object.entries(table).filter(([, [, rows]]) => names.some((flag) => flag in rows));
  expect(found.filter(([, [, rows]]) => !names.every((flag) => flag in rows))).toEqual([]);
  const commandNames = found.map(([name]) => name);
  for (const name of ['diff', 'diff revision', 'drift', 'plan', 'show-plan', 'stack diff', 'stack drift', 'stack plan'])
    expect(commandNames).toContain(name);
});

test('every command is in the table', () => {
  const names = new Set(Object.keys(table).map((name) => name.replace(/ .*/, '')));
  expect([...names].sort()).toEqual(commands.map(({ name }) => name).sort());
});

/** What the global flags are in the settings, or what they say there. */
const settings: Readonly<Record<string, readonly [text: string, place: string, value: unknown]>> = {
  'burst-limit': ['7', 'kube.rate', { qps: 5, burst: 7 }],
  'content-cache': ['dir', 'paths.contentCache', 'dir'],
  color: ['always', 'color', 'always'],
  colour: ['never', 'color', 'never'],
  debug: ['true', 'debug', true],
  'kube-apiserver': ['http://host', 'kube.server', 'http://host'],
  'kube-as-group': ['a', 'kube.asGroups', ['a']],
  'kube-as-user': ['me', 'kube.asUser', 'me'],
  'kube-ca-file': ['ca.crt', 'kube.caFile', 'ca.crt'],
  'kube-context': ['dev', 'kube.context', 'dev'],
  'kube-insecure-skip-tls-verify': ['true', 'kube.insecureSkipTlsVerify', true],
  'kube-tls-server-name': ['host', 'kube.tlsServerName', 'host'],
  'kube-token': ['secret', 'kube.token', 'secret'],
  kubeconfig: ['file', 'kube.kubeconfig', 'file'],
  namespace: ['dev', 'namespace', 'dev'],
  qps: ['2.5', 'kube.rate', { qps: 2.5, burst: 100 }],
  'registry-config': ['file', 'paths.registryConfig', 'file'],
  'repository-cache': ['dir', 'paths.repositoryCache', 'dir'],
  'repository-config': ['file', 'paths.repositoryConfig', 'file'],
  sandbox: ['true', 'sandboxDirectory', '/home/me/.local/state/tshelm/sandbox'],
  'sandbox-dir': ['dir', 'sandboxDirectory', 'dir'],
  v: ['6', 'tellsRequests', true],
};

describe('global flags', () => {
  const taken = { ...globalFlags, ...verbosityFlag };

  test('are these', () => expect(Object.keys(taken).sort()).toEqual(Object.keys(settings).sort()));

  test.each(Object.entries(settings))('--%s', (flag, [text, place, value]) => {
    const program = addFlags(new Command('tshelm'), taken).argument('[words...]');
    const env = flag === 'burst-limit' ? { HOME: '/home/me', HELM_QPS: '5' } : { HOME: '/home/me' };
    const read = (words: readonly string[]): unknown => {
      program.parse(normalizeArguments(program, words), { from: 'user' });
      const all = { ...settingsOf(program.opts(), env), paths: helmPaths(env, program.opts()) };
      return place.split('.').reduce((at: unknown, key) => (at as Record<string, unknown>)[key], all);
    };
    expect(read([])).not.toEqual(value);
    expect(read([`--${flag}=${text}`])).toEqual(value);
  });
});
