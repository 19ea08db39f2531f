import { registryFlags } from '../flags/search-flags.ts';

/** The options of a command by what they are for, in the order in which help lists them; those of one command alone stand first. */
const groups: Readonly<Record<string, string>> = {
  Values:
    'values set set-string set-literal set-json set-file secret-refs reuse-values reset-values reset-then-reuse-values state-values-file state-values-set state-values-set-string',
  'Order and waiting':
    'wait wait-for-jobs timeout readiness-timeout order eager allow-lost-order strict-plan concurrency grace status-grace health no-fail-fast no-hooks',
  Safety:
    'dry-run preflight rollback-on-failure cleanup-on-fail take-ownership take-fields replace replace-immutable allow-data-loss force-replace force-conflicts server-side wait-lock stale-after resume skip-unchanged',
  Chart: 'version repo devel dependency-update offline chart',
  Rendering:
    'kube-version api-versions post-renderer post-renderer-args enable-dns no-lookup skip-crds crds include-crds is-upgrade skip-schema-validation disable-openapi-validation render-subchart-notes',
  Record: 'description labels history-max trim-record keep-history keep-objects',
  'Which releases':
    'file environment selector skip-needs include-needs include-transitive-needs skip-deps allow-no-matching-release sequential-helmfiles',
  'Saved plan': 'out sign-key verify-key release-key encrypt-to identity passphrase-file expires-in',
  Output:
    'output diff context progress logs junit otel report quiet no-color exit-code detailed-exitcode hide-notes hide-secret show-secrets',
  Signatures:
    'verify keyring key certificate-identity certificate-identity-regexp certificate-oidc-issuer certificate-oidc-issuer-regexp trusted-root insecure-ignore-tlog trust-policy untrusted',
  'Registries and TLS':
    'username password ca-file cert-file key-file insecure-skip-tls-verify plain-http oci-plain-http pass-credentials kustomize-binary',
  'In the sandbox': 'fail',
};

const groupOf: ReadonlyMap<string, string> = new Map(
  Object.entries(groups).flatMap(([group, names]) => names.split(' ').map((name) => [name, group] as const)),
);

const ownHeading = 'Options';

/** The heading under which help lists a flag of any command. */
export const optionGroup = (flag: string): string => groupOf.get(flag) ?? ownHeading;

export const optionHeadings: readonly string[] = [ownHeading, ...Object.keys(groups)];

/** What most runs do not need. */
export const foldedHeadings: ReadonlySet<string> = new Set(['Rendering', 'Record', 'Signatures', 'Registries and TLS']);

/** The flags that Helm's commands have here and not in Helm (a control-plane test compares them with Helm's help). */
const addedFlags: ReadonlySet<string> = new Set(
  'allow-data-loss allow-lost-order certificate-identity certificate-identity-regexp certificate-oidc-issuer certificate-oidc-issuer-regexp concurrency crds delete-hooks eager fail grace health image-list insecure-ignore-tlog junit keep-objects no-fail-fast no-lookup offline order otel preflight progress readiness-timeout recursive replace-immutable report resume sandbox sandbox-dir secret-refs show-resources skip-unchanged stale-after status-grace strict-plan take-fields trim-record trust-policy trusted-root wait-lock'.split(
    ' ',
  ),
);

const commandsOfHelm: ReadonlySet<string> = new Set(
  'completion create dependency env get history install lint list package plugin pull push registry repo rollback search show status template test uninstall upgrade verify version'.split(
    ' ',
  ),
);

/** Flags that Helm has, but not in this command. */
const addedHere: Readonly<Record<string, ReadonlySet<string>>> = {
  'get all': new Set(['output']),
  lint: new Set(['wait']),
  'plugin verify': new Set(['verify']),
  push: new Set(['sign']),
  verify: new Set(['verify']),
  // Of a test, logs are Helm's own.
  install: new Set(['logs', 'quiet']),
  uninstall: new Set(['logs', 'quiet']),
  // Of an install it is Helm's own, for a name.
  rollback: new Set(['logs', 'quiet', 'replace']),
  upgrade: new Set(['logs', 'quiet', 'replace']),
  // With oci://HOST/PATH, which Helm cannot search.
  search: new Set(Object.keys(registryFlags)),
};

/** Helm's commands whose `--key` is Helm's own, for a key of GnuPG; elsewhere it is that of a sigstore signature. */
const signsWithKey: ReadonlySet<string> = new Set(['package', 'plugin package']);

/** Whether Helm has the command, by its names (`repo add`; '' is the program), and lacks this flag of it. */
export function isAddedFlag(path: string, flag: string): boolean {
  const [name = ''] = path.split(' ');
  if (name !== '' && !commandsOfHelm.has(name)) return false;
  if (flag === 'key') return !signsWithKey.has(path);
  return addedFlags.has(flag) || addedHere[path]?.has(flag) === true;
}
