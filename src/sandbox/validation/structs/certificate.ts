import { dns1123SubdomainProblem } from '../../../kinds/names.ts';
import { type Json, plain } from '../../../support/json.ts';
import { duplicate, type FieldProblem, invalidValue, unsupportedValue } from '../../status.ts';
import { bounded, every, invalidIf, needed } from '../checks.ts';
import type { Check, StructRules } from '../struct.ts';

/** k8s.io/kubernetes/pkg/apis/certificates/validation. */

const knownUsages = [
  'any',
  'cert sign',
  'client auth',
  'code signing',
  'content commitment',
  'crl sign',
  'data encipherment',
  'decipher only',
  'digital signature',
  'email protection',
  'encipher only',
  'ipsec end system',
  'ipsec tunnel',
  'ipsec user',
  'key agreement',
  'key encipherment',
  'microsoft sgc',
  'netscape sgc',
  'ocsp signing',
  's/mime',
  'server auth',
  'signing',
  'timestamping',
];

const usages: Check = every(needed(), (value, path) => {
  const all = (Array.isArray(value) ? value : []).map(plain);
  return all.flatMap((usage, index): FieldProblem[] => [
    ...(knownUsages.includes(usage) ? [] : [unsupportedValue(`${path}[${index}]`, usage, knownUsages)]),
    ...(all.indexOf(usage) < index ? [duplicate(`${path}[${index}]`, usage)] : []),
  ]);
});

/** `example.com/signer-name` */
const signer: Check = every(needed(), (value, path) => {
  if (typeof value !== 'string' || value === '') return [];
  const [domain = '', ...rest] = value.split('/');
  const name = rest.join('/');
  if (value === 'kubernetes.io/legacy-unknown')
    return [invalidValue(path, value, 'the legacy signerName is not allowed via this API version')];
  if (rest.length === 0 || name === '')
    return [
      invalidValue(path, value, "must be a fully qualified domain and path of the form 'example.com/signer-name'"),
    ];
  const detail =
    dns1123SubdomainProblem(domain) ??
    (domain.includes('.') ? undefined : 'should be a domain with at least two segments separated by dots');
  return detail === undefined ? [] : [invalidValue(path, domain, detail)];
});

const request: Check = (value, path) => invalidIf(!isRequest(value), path, value, pemMessage);

const pemMessage = 'PEM block type must be CERTIFICATE REQUEST';

const isRequest = (value: Json | undefined): boolean =>
  /^-----BEGIN CERTIFICATE REQUEST-----\r?$/m.test(Buffer.from(plain(value), 'base64').toString('latin1'));

export const certificateStructs: Readonly<Record<string, StructRules>> = {
  CertificateSigningRequestSpec: {
    usages,
    signerName: signer,
    request,
    expirationSeconds: bounded(
      600,
      Number.MAX_SAFE_INTEGER,
      'may not specify a duration less than 600 seconds (10 minutes)',
    ),
  },
};
