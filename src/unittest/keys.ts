import { generateKeyPairSync, type KeyObject } from 'node:crypto';

/**
 * RSA keys of 2048 bits for the renders of a run. Making one takes longer than rendering a chart, and no test compares two
 * renders: each render gets the same first key, the same second one, and so on.
 */
export class TestKeys {
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
