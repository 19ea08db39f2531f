import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Writes the keys that the pages sign and verify plans with: `sign.key` and `plan.pub`. */
export function writePlanKeys(folder: string): void {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  writeFileSync(join(folder, 'sign.key'), privateKey.export({ format: 'pem', type: 'pkcs8' }));
  writeFileSync(join(folder, 'plan.pub'), publicKey.export({ format: 'pem', type: 'spki' }));
}
