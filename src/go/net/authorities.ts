import { readFile } from 'node:fs/promises';
import { rootCertificates } from 'node:tls';

/** The authorities that this system trusts, where Go looks for them, beside Node's own. */
export async function systemAuthorities(): Promise<string[]> {
  const files = [
    process.env['SSL_CERT_FILE'],
    '/etc/ssl/certs/ca-certificates.crt',
    '/etc/pki/tls/certs/ca-bundle.crt',
    '/etc/ssl/cert.pem',
  ];
  for (const file of files) {
    // Of the places where systems keep their certificates, most are not there.
    const bundle = file && (await readFile(file, 'utf8').catch(() => undefined));
    if (bundle) return [...rootCertificates, bundle];
  }
  return [...rootCertificates];
}
