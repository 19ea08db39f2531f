import { generateKeyPairSync, type KeyObject } from 'node:crypto';

/**
 * RSA keys of 2048 bits for renders whose objects are judged and never deployed. Making a key takes longer than rendering a
 * chart, and nobody compares two renders: each gets the same first key, the same second one, and so on.
 */
export class ReusedKeys {
  private readonly keys: KeyObject[] = [];

  /** What gives one render its keys, each of them once. */
  forRender(): () => KeyObject {
    let next = 0;
    return () => {
      const key = (this.keys[next] ??= generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey);
      next += 1;
      return key;
    };
  }
}
