import { boolOf, type FlagRows, type FlagsOf, optionsOf } from '../../change/option-rows.ts';
import type { ValueOptions } from '../../chart/value-options.ts';
import type { ChartAccess, TrustOptions } from '../../source/chart-access.ts';
import type { GivenCapabilities } from '../rendering/given-capabilities.ts';

/** -f and the --set family: pkg/cli/values. */
export const valueFlags = {
  values: {
    type: 'strings',
    option: 'valueFiles',
    short: 'f',
    description: "specify values in a YAML file or a URL, '-' is standard input (can specify multiple)",
  },
  set: {
    type: 'stringArray',
    option: 'set',
    description:
      'set values on the command line (can specify multiple or separate values with commas: key1=val1,key2=val2)',
  },
  'set-file': {
    type: 'stringArray',
    option: 'setFile',
    description:
      'set values from respective files specified via the command line (can specify multiple or separate values with commas: key1=path1,key2=path2)',
  },
  'set-json': {
    type: 'stringArray',
    option: 'setJson',
    description:
      'set JSON values on the command line (can specify multiple or separate values with commas: key1=jsonval1,key2=jsonval2 or using json format: {"key1": jsonval1, "key2": "jsonval2"})',
  },
  'set-literal': {
    type: 'stringArray',
    option: 'setLiteral',
    description: 'set a literal STRING value on the command line',
  },
  'set-string': {
    type: 'stringArray',
    option: 'setString',
    description:
      'set STRING values on the command line (can specify multiple or separate values with commas: key1=val1,key2=val2)',
  },
} satisfies FlagRows<ValueOptions>;

/** How servers of charts are reached: what push knows too. */
export const serverFlags = {
  'ca-file': {
    type: 'string',
    option: 'caFile',
    description: 'verify certificates of HTTPS-enabled servers using this CA bundle',
  },
  'cert-file': {
    type: 'string',
    option: 'certFile',
    description: 'identify HTTPS client using this SSL certificate file',
  },
  'insecure-skip-tls-verify': {
    type: 'bool',
    option: 'insecureSkipTlsVerify',
    description: 'skip tls certificate checks for the chart download',
  },
  'key-file': { type: 'string', option: 'keyFile', description: 'identify HTTPS client using this SSL key file' },
  password: {
    type: 'string',
    option: 'password',
    description: 'chart repository password where to locate the requested chart',
  },
  'plain-http': {
    type: 'bool',
    option: 'plainHttp',
    description: 'use insecure HTTP connections for the chart download',
  },
  username: {
    type: 'string',
    option: 'username',
    description: 'chart repository username where to locate the requested chart',
  },
} satisfies FlagRows<ChartAccess>;

/** The options that they give. */
export type ServerAccess = Pick<ChartAccess, (typeof serverFlags)[keyof typeof serverFlags]['option']>;

/** Whose sigstore signature is trusted: by cosign's names. */
export const signerFlags = {
  'certificate-identity': {
    type: 'string',
    option: 'certificateIdentity',
    description: 'with --verify=sigstore: the email address or URI that the signing certificate must name',
  },
  'certificate-identity-regexp': {
    type: 'string',
    option: 'certificateIdentityRegexp',
    description: 'with --verify=sigstore: a regular expression that the identity of the signing certificate must match',
  },
  'certificate-oidc-issuer': {
    type: 'string',
    option: 'certificateOidcIssuer',
    description: 'with --verify=sigstore: the OpenID Connect issuer that the signing certificate must name',
  },
  'certificate-oidc-issuer-regexp': {
    type: 'string',
    option: 'certificateOidcIssuerRegexp',
    description: 'with --verify=sigstore: a regular expression that the issuer of the signing certificate must match',
  },
  'insecure-ignore-tlog': {
    type: 'bool',
    option: 'insecureIgnoreTlog',
    description: 'with --verify=sigstore: accept signatures that no transparency log has',
  },
  key: {
    type: 'string',
    option: 'key',
    description: 'with --verify=sigstore: the public key of the signer, such as cosign.pub',
  },
  'trusted-root': {
    type: 'string',
    option: 'trustedRoot',
    description:
      'with --verify=sigstore: a file with the certificates and log keys to trust (default: those of the public sigstore)',
  },
} satisfies FlagRows<TrustOptions>;

export const trustPolicyFlag = {
  'trust-policy': {
    type: 'string',
    option: 'trustPolicy',
    placeholder: 'file',
    description:
      'trust policy: a file that says who may sign charts, plugins and images (default $TSHELM_TRUST_POLICY)',
  },
} satisfies FlagRows<TrustOptions>;

const verifyChoices = ['true', 'false', 'sigstore'];

/** `--verify` is Helm's switch, which takes one word more. */
export function verifyOf(text: string): boolean | 'sigstore' {
  const verify = text === 'sigstore' ? text : boolOf(text);
  if (verify === undefined) throw new Error(`must be one of: ${verifyChoices.join(', ')}`);
  return verify;
}

/** A `--verify` that also checks signatures of sigstore. */
export const verifyFlag = <const Description extends string>(description: Description) =>
  ({
    type: 'choice',
    option: 'verify',
    alone: 'true',
    placeholder: 'mode[=true]',
    choices: verifyChoices,
    parse: verifyOf,
    description: `${description}; "sigstore" checks cosign signatures instead of PGP`,
  }) as const;

/** Where a chart is that a command names. Go: addChartPathOptionsFlags, and --devel, which goes with it everywhere. */
export const accessFlags = {
  ...serverFlags,
  devel: {
    type: 'bool',
    option: 'devel',
    description:
      "use development versions, too. Equivalent to version '>0.0.0-0'. If --version is set, this is ignored",
  },
  keyring: {
    type: 'string',
    option: 'keyring',
    description: "location of public keys used for verification (default: GnuPG's own)",
  },
  'pass-credentials': {
    type: 'bool',
    option: 'passCredentialsAll',
    description: 'pass credentials to all domains',
  },
  repo: {
    type: 'string',
    option: 'repoUrl',
    description: 'chart repository url where to locate the requested chart',
  },
  ...signerFlags,
  ...trustPolicyFlag,
  verify: verifyFlag('verify the package before using it'),
  version: {
    type: 'string',
    option: 'version',
    description:
      'specify a version constraint for the chart version to use. This constraint can be a specific tag (e.g. 1.1.1) or it may reference a valid range (e.g. ^2.0.0). If this is not specified, the latest version is used',
  },
} satisfies FlagRows<ChartAccess>;

/** An order for a chart that declares none, or another one. */
const orderFlag = {
  order: {
    type: 'string',
    option: 'order',
    placeholder: 'file',
    description:
      'deploy in the order that this file declares for the resources and subcharts of the chart; it overrides what the chart declares itself',
  },
} satisfies FlagRows<OrderedChartAccess>;

/** Whether references to secrets in the values are followed. */
export const secretRefsFlag = {
  'secret-refs': {
    type: 'bool',
    option: 'secretRefs',
    description:
      'replace references such as ref+vault://… in the values with the secrets that they name, as vals does (default $TSHELM_SECRET_REFS)',
  },
} satisfies FlagRows<OrderedChartAccess>;

export interface OrderedChartAccess extends ChartAccess {
  /** The path of an order file (docs/ordering.md, 8). */
  readonly order?: string | undefined;
  readonly secretRefs?: boolean | undefined;
}

const orderedAccessFlags = { ...accessFlags, ...orderFlag, ...secretRefsFlag };

/** What is said of a chart and its values. */
export const chartInputFlags = { ...valueFlags, ...orderedAccessFlags };

export interface ChartInputs {
  readonly values: ValueOptions;
  readonly access: OrderedChartAccess;
}

export const chartInputs = (flags: FlagsOf<typeof chartInputFlags>): ChartInputs => ({
  values: optionsOf(valueFlags, flags),
  access: optionsOf(orderedAccessFlags, flags),
});

/** What templates are told of the cluster where none is asked. */
export const capabilityFlags = {
  'api-versions': {
    type: 'strings',
    option: 'apiVersions',
    short: 'a',
    description: 'Kubernetes api versions used for Capabilities.APIVersions (multiple can be specified)',
  },
  'kube-version': {
    type: 'string',
    option: 'kubeVersion',
    description: 'Kubernetes version used for Capabilities.KubeVersion',
  },
} satisfies FlagRows<GivenCapabilities>;
