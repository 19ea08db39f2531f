import { createHash } from 'node:crypto';
import { isObject } from '../support/json.ts';

/** The type of the statements by which cosign signs: "this digest is signed", and nothing beyond. Go: types.CosignSignPredicateType. */
export const signPredicate = 'https://sigstore.dev/cosign/sign/v1';
export const statementType = 'application/vnd.in-toto+json';
export const statementUri = 'https://in-toto.io/Statement/v1';

/** What DSSE has signed in place of a payload: its "pre-authentication encoding". */
export function signedFormOf(payloadType: string, payload: Uint8Array): Buffer {
  const head = `DSSEv1 ${Buffer.byteLength(payloadType)} ${payloadType} ${payload.length} `;
  return Buffer.concat([Buffer.from(head), payload]);
}

/** Throws an Error where an in-toto statement does not say that cosign signed exactly this content. */
export function checkStatement(payloadType: string, payload: Uint8Array, content: Uint8Array): void {
  if (payloadType !== statementType)
    throw new Error(`the signed payload is ${JSON.stringify(payloadType)}, not a statement`);
  const statement: unknown = JSON.parse(Buffer.from(payload).toString('utf8'));
  const { predicateType, subject } = isObject(statement) ? statement : {};
  if (predicateType !== signPredicate)
    throw new Error(`the statement is of type ${JSON.stringify(predicateType)}, which is not a signature`);
  const wanted = createHash('sha256').update(content).digest('hex');
  const digests = (Array.isArray(subject) ? subject : []).map((one: unknown) =>
    isObject(one) && isObject(one['digest']) ? one['digest']['sha256'] : undefined,
  );
  if (!digests.includes(wanted)) throw new Error(`the statement is about another digest than sha256:${wanted}`);
}
