import { encodeBase64 as encodeSalt, hashSync } from 'bcryptjs';
import { encodeText } from '../../go/text.ts';
import { GoError } from '../../go/value.ts';

const cost = 10;
const longestPasswordBytes = 72;
export const bcryptSaltBytes = 16;

/** golang.org/x/crypto/bcrypt.GenerateFromPassword with the default cost. Throws GoError for a password over 72 bytes. */
export function bcryptHash(password: string, salt: Uint8Array): string {
  if (encodeText(password).length > longestPasswordBytes) {
    throw new GoError(`bcrypt: password length exceeds ${longestPasswordBytes} bytes`);
  }
  return hashSync(password, `$2a$${cost}$${encodeSalt(salt, bcryptSaltBytes)}`);
}
