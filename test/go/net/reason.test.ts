import { expect, test } from 'vitest';
import { keyPairReason, reasonOf } from '../../../src/go/net/reason.ts';

const url = new URL('https://charts.example');
const failure = (code: string, message: string, reason?: string): Error =>
  Object.assign(new Error(message), { code, reason });

/** Each as Node says it, by OpenSSL, and as an executable does, by BoringSSL. */
test.each([
  [
    'http: server gave HTTP response to HTTPS client',
    failure(
      'EPROTO',
      'write EPROTO 80:error:0A00010B:SSL routines:ssl3_get_record:wrong version number:../ssl3_record.c:350:\n',
    ),
    failure(
      'ERR_SSL_WRONG_VERSION_NUMBER',
      'error:100000f7:SSL routines:OPENSSL_internal:WRONG_VERSION_NUMBER',
      'WRONG_VERSION_NUMBER',
    ),
  ],
  [
    'remote error: tls: certificate required',
    failure(
      'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED',
      '80:error:0A00045C:SSL routines:ssl3_read_bytes:tlsv13 alert certificate required:../rec_layer_s3.c:1601:\n',
      'tlsv13 alert certificate required',
    ),
    failure(
      'ERR_SSL_TLSV1_ALERT_CERTIFICATE_REQUIRED',
      'error:1000045c:SSL routines:OPENSSL_internal:TLSV1_ALERT_CERTIFICATE_REQUIRED',
      'TLSV1_ALERT_CERTIFICATE_REQUIRED',
    ),
  ],
])('%s', (expected, ofNode, ofBun) => {
  expect(reasonOf(ofNode, url)).toBe(expected);
  expect(reasonOf(ofBun, url)).toBe(expected);
});

test.each([
  ['error:05800074:x509 certificate routines::key values mismatch'],
  ['error:0b000074:X.509 certificate routines:OPENSSL_internal:KEY_VALUES_MISMATCH'],
])('a key of another certificate: %s', (message) => {
  expect(keyPairReason(new Error(message))).toBe('private key does not match public key');
});
