import type { ValueSources } from '../chart/value-options.ts';
import type { Value } from '../go/value.ts';
import { mayHaveReferences, withTexts } from '../secrets/values.ts';
import { TshelmError } from '../support/errors.ts';
import type { SecretWords } from '../support/secret-words.ts';
import { keysText } from '../words/value.ts';

export interface ReferenceSettings {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What paths in references are relative to. */
  readonly cwd: string;
  /** Learns what references stand for. */
  readonly secrets: SecretWords;
  readonly decrypt: NonNullable<ValueSources['decrypt']>;
  readonly isOffline: boolean;
  /** Whether somebody else wrote the values: then no program runs, and files outside of `cwd` are not read. */
  readonly isUntrusted?: boolean | undefined;
}

/** What replaces references with the secrets that they name. Errors: `secret-failed`, `offline`, `stack-untrusted`, those of decryption. */
export const references =
  ({ env, cwd, secrets, decrypt, isOffline, isUntrusted }: ReferenceSettings): NonNullable<ValueSources['resolve']> =>
  async (values) => {
    if (!mayHaveReferences(values)) return values;
    const [{ SecretReader }, { OutsideFiles }, { nodeWorld }, { untrustedWorld }] = await Promise.all([
      import('../secrets/reader.ts'),
      import('../stack/outside-files.ts'),
      import('../stack/node-world.ts'),
      import('../stack/untrusted.ts'),
    ]);
    const fetch = async (url: string): Promise<never> => {
      throw new Error(`internal: no reference fetches ${url}`);
    };
    const outside = new OutsideFiles({ fetch, decrypt });
    const here = { ...nodeWorld(env, () => undefined), isOffline };
    const learn = (secret: string): void => secrets.addDecrypted(secret);
    return outside.read(isUntrusted ? untrustedWorld(here, [cwd]) : here, (world) => {
      const reader = new SecretReader(world, cwd, { learn, outside, mayBeginAnew: true });
      return withTexts(values, (text, keys) => located(keys, () => reader.resolve(text)));
    });
  };

function located(keys: readonly string[], work: () => Value): Value {
  try {
    return work();
  } catch (cause) {
    if (!(cause instanceof TshelmError)) throw cause;
    throw cause.wrapped({ message: `${cause.message} (in the value ${keysText(keys)})`, details: { keys } });
  }
}
