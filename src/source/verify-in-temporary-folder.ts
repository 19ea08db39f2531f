import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withTemporaryFolder } from '../support/directories.ts';
import type { Verification, VerifyArchive } from './chart-access.ts';

export interface SignedArchive {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** The provenance file. */
  readonly signed: Uint8Array;
  readonly keyring: string | undefined;
}

/** In a folder of its own, so that what is not what it says it is comes nowhere else. Errors: as `verify`. */
export const verifyInTemporaryFolder = (
  { name, bytes, signed, keyring = '' }: SignedArchive,
  verify: VerifyArchive,
): Promise<Verification> =>
  withTemporaryFolder('tshelm-', async (folder) => {
    const archive = join(folder, name);
    const provenance = `${archive}.prov`;
    writeFileSync(archive, bytes);
    writeFileSync(provenance, signed);
    return verify({ archive, provenance, name, keyring });
  });
