import type { ReleaseStatus } from '../../release/types.ts';
import type { Settings } from '../settings.ts';
import type { Io, TextKind } from '../terminal/io.ts';

/** How Helm colours what it prints on standard output (internal/cli/output). */
export interface HelmColors {
  readonly header: (text: string) => string;
  readonly namespace: (text: string) => string;
  readonly status: (status: ReleaseStatus) => string;
  /** What is written is painted, where it has colours. */
  readonly kind: TextKind;
}

export const noColors: HelmColors = {
  header: (text) => text,
  namespace: (text) => text,
  status: (status) => status,
  kind: 'text',
};

/** By --color, HELM_COLOR and NO_COLOR; `auto`: on a terminal that is not dumb. */
export const helmColors = (
  { color }: Pick<Settings, 'color'>,
  { stdout, env }: Pick<Io, 'stdout' | 'env'>,
): HelmColors =>
  color === 'always' || (color === 'auto' && stdout.isTerminal && env['TERM'] !== 'dumb') ? someColors : noColors;

const someColors: HelmColors = {
  header: (text) => `\x1b[1m${text}\x1b[22m`,
  namespace: (text) => painted(36, text),
  status: (status) => {
    const code = statusCodes[status];
    return code === undefined ? status : painted(code, status);
  },
  kind: 'painted',
};

const painted = (code: number, text: string): string => `\x1b[${code}m${text}\x1b[0m`;

const statusCodes: Readonly<Partial<Record<ReleaseStatus, number>>> = {
  deployed: 32,
  failed: 31,
  unknown: 31,
  'pending-install': 33,
  'pending-upgrade': 33,
  'pending-rollback': 33,
  uninstalling: 33,
};
