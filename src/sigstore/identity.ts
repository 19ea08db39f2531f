import { Regexp } from '../go/regexp.ts';
import { messageOf, TshelmError } from '../support/errors.ts';
import type { SigstoreDemand } from './demand.ts';

/** What a certificate must say, as tests of its two names. */
export interface ExpectedIdentity {
  readonly isIdentity: (identity: string) => boolean;
  readonly isIssuer: (issuer: string) => boolean;
  /** As messages name it. */
  readonly text: string;
}

/** Fails with `signer-unnamed` where one of the two is not named: anybody can have a certificate. Go: CertVerifyOptions.Identities. */
export function expectedIdentity(demand: SigstoreDemand): ExpectedIdentity {
  const identity = nameTest(demand.certificateIdentity, demand.certificateIdentityRegexp, 'identity');
  const issuer = nameTest(demand.certificateOidcIssuer, demand.certificateOidcIssuerRegexp, 'issuer');
  return { isIdentity: identity.test, isIssuer: issuer.test, text: `${identity.text}, issued by ${issuer.text}` };
}

interface NameTest {
  readonly test: (name: string) => boolean;
  readonly text: string;
}

function nameTest(exact: string | undefined, pattern: string | undefined, name: string): NameTest {
  if (exact) return { test: (text) => text === exact, text: exact };
  if (!pattern) {
    const message = `sigstore signatures need a trusted signer: name a public key, or the ${name} of the certificate`;
    throw new TshelmError('signer-unnamed', { message });
  }
  try {
    const regexp = new Regexp(pattern);
    return { test: (text) => regexp.matches(text), text: `/${pattern}/` };
  } catch (cause) {
    const message = `the ${name} of the certificate is not a valid Go regular expression: ${messageOf(cause)}`;
    throw new TshelmError('signer-unnamed', { message, cause });
  }
}
