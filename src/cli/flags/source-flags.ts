import type { FlagRows, FlagSpec } from '../../change/option-rows.ts';
import type { ChartAccess } from '../../source/chart-access.ts';

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

/** Where a chart is that a command names. Go: addChartPathOptionsFlags, and --devel, which stands beside it everywhere. */
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
  verify: { type: 'bool', option: 'verify', description: 'verify the package before using it' },
  version: {
    type: 'string',
    option: 'version',
    description:
      'specify a version constraint for the chart version to use. This constraint can be a specific tag (e.g. 1.1.1) or it may reference a valid range (e.g. ^2.0.0). If this is not specified, the latest version is used',
  },
} satisfies FlagRows<ChartAccess>;

/** Whether subcharts that are missing are fetched first. */
export const dependencyUpdateFlag = {
  'dependency-update': {
    type: 'bool',
    description: 'update dependencies if they are missing before installing the chart',
  },
} satisfies Record<string, FlagSpec>;

/** Whether anything may be fetched. */
export const offlineFlag = {
  offline: { type: 'bool', description: 'download nothing: use the caches, and list everything that they lack' },
} satisfies Record<string, FlagSpec>;
