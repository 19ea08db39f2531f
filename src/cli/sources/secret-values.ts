import type { OrderedChartAccess } from '../../actions/options/chart.ts';
import { boolOf } from '../../change/option-rows.ts';
import { warn } from '../../chart/notice.ts';
import type { ValueOptions, ValueSources } from '../../chart/value-options.ts';
import type { GoMap } from '../../go/value.ts';
import { firstReference } from '../../secrets/values.ts';
import { mayBeEncrypted } from '../../sops/may-be-encrypted.ts';
import { addedDetail, TshelmError } from '../../support/errors.ts';
import { keysText } from '../../words/value.ts';
import type { CliContext } from '../context.ts';
import type { SourceFlags } from './named-chart.ts';
import { noticesPrinter } from './notices.ts';
import { isOfflineBy } from './sources.ts';

/** Opens files that sops encrypted. Where somebody else wrote what names them, no program runs for one. */
export const decryptionOf =
  ({ untrusted }: SourceFlags, { io, secrets }: CliContext): NonNullable<ValueSources['decrypt']> =>
  async (path, data, spelling) => {
    if (!mayBeEncrypted(data)) return undefined;
    const { decryption } = await import('../../session/decryption.ts');
    const { isUntrustedBy, refusedBy } = await import('../../stack/untrusted.ts');
    const isUntrusted = untrusted ?? isUntrustedBy(io.env);
    const checkProgram = (program: string): void => {
      if (isUntrusted) throw refusedBy(`it would run the program ${program} for ${path}`);
    };
    return decryption({ env: io.env, secrets, checkProgram })(path, data, spelling);
  };

export type ReferenceFlags = SourceFlags & Pick<OrderedChartAccess, 'secretRefs'>;

/**
 * Replaces references with the secrets that they name, where the user wants that: a values file may be another's, and whoever
 * writes a reference chooses what is read, and which program runs. Otherwise references stay, with a warning.
 */
export function resolverOf(
  { secretRefs, ...flags }: ReferenceFlags,
  options: ValueOptions,
  context: CliContext,
): (values: GoMap) => Promise<GoMap> {
  const { env, cwd } = context.io;
  const { secrets } = context;
  const isWanted =
    secretRefs ?? (boolOf(env['TSHELM_SECRET_REFS'] ?? '') === true || env['HELM_SECRETS_BACKEND'] === 'vals');
  return async (values) => {
    if (!isWanted) {
      const keys = secretRefs === undefined ? firstReference(values) : undefined;
      if (keys !== undefined) noticesPrinter(context)(warn(unresolved(keys)));
      return values;
    }
    const { references } = await import('../../session/references.ts');
    const { isUntrustedBy } = await import('../../stack/untrusted.ts');
    const isOffline = isOfflineBy(flags, env);
    const decrypt = decryptionOf(flags, context);
    const isUntrusted = flags.untrusted ?? isUntrustedBy(env);
    const resolve = references({ env, cwd, secrets, decrypt, isOffline, isUntrusted });
    return resolve(values).catch(async (cause: unknown) => {
      throw await givenWhere(cause, options);
    });
  };
}

const unresolved = (keys: readonly string[]): string =>
  `the value ${keysText(keys)} is a reference to a secret and is used as it is; --secret-refs puts the secret in its place, --secret-refs=false keeps the reference`;

/** The failure of a reference, with the flag or the line that gives it. */
async function givenWhere(cause: unknown, options: ValueOptions): Promise<unknown> {
  if (!(cause instanceof TshelmError)) return cause;
  const keys = addedDetail(cause, 'keys');
  const { givenAt } = await import('../errors/given-values.ts');
  const at = keys && givenAt(keys, options);
  if (at === undefined) return cause;
  return cause.wrapped({ message: `${'flag' in at ? at.flag : `${at.file}:${at.line}`}: ${cause.message}` });
}
