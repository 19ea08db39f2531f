import { generateKeyPairSync, type KeyObject } from 'node:crypto';

/**
 * RSA keys for renders whose objects are judged and never deployed. Making a key takes longer than rendering a
 * chart, and nobody compares two renders: each gets the same first key, the same second one, and so on.
 */
export class ReusedKeys {
  private readonly keys: KeyObject[] = [];
  private readonly modulusLength: number;

  /** `modulusLength`: in bits. Helm's keys have 2048; one of 1024 is made ten times as fast. */
  constructor(modulusLength = 2048) {
    this.modulusLength = modulusLength;
  }

  /** What gives one render its keys, each of them once. */
  forRender(): () => KeyObject {
    let next = 0;
    return () => {
      const key = (this.keys[next] ??= generateKeyPairSync('rsa', { modulusLength: this.modulusLength }).privateKey);
      next += 1;
      return key;
    };
  }
}
