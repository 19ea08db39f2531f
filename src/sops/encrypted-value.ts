import { createDecipheriv } from 'node:crypto';
import { bytesOfBase64 } from '../support/base64.ts';

/** What a value was before it was encrypted. */
export type ValueType = 'str' | 'int' | 'float' | 'bool' | 'bytes' | 'time' | 'comment';

export interface PlainValue {
  readonly type: ValueType;
  readonly data: Buffer;
}

const pattern = /^ENC\[AES256_GCM,data:([^,]*),iv:([^,]+),tag:([^,]+),type:(str|int|float|bool|bytes|time|comment)\]$/;

/** Whether a text is what sops makes of a value. */
export const isEncrypted = (text: string): boolean => pattern.test(text);

export const isEncryptedComment = (text: string): boolean => pattern.exec(text)?.[4] === 'comment';

/**
 * A value in plain, for the place that it is at: in another place it does not open. Go: aes.Cipher.Decrypt. Undefined where
 * the text is no such value; throws where the key or the place is another, or the text was changed.
 */
export function decryptValue(text: string, key: Uint8Array, place: string): PlainValue | undefined {
  const [, data = '', iv = '', tag = '', type] = pattern.exec(text) ?? [];
  if (type === undefined) return undefined;
  const tagBytes = bytesOfBase64(tag, 'tag');
  if (tagBytes.length !== 16) throw new Error('the tag of a value has not 16 bytes');
  const decipher = createDecipheriv('aes-256-gcm', key, bytesOfBase64(iv, 'iv'), { authTagLength: 16 });
  decipher.setAAD(Buffer.from(place));
  decipher.setAuthTag(tagBytes);
  const encrypted = data === '' ? Buffer.alloc(0) : bytesOfBase64(data, 'value');
  const plain = Buffer.concat([decipher.update(encrypted), decipher.final()]);
  return { type: type as ValueType, data: plain };
}
