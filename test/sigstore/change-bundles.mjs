// Asks cosign (the first argument) of each changed bundle whether it proves what it is beside; run by record.sh.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { changesOf } from './changes.mjs';

const identity = [
  '--certificate-identity=https://github.com/acme/charts/.github/workflows/release.yml@refs/tags/v1',
  '--certificate-oidc-issuer=https://token.example',
  '--trusted-root=trusted-root.json',
];
const key = ['--key=cosign.pub', '--insecure-ignore-tlog'];
const statement = ['verify-blob-attestation', '--type=https://sigstore.dev/cosign/sign/v1'];
const bundles = {
  'chart.key.json': ['verify-blob', ...key],
  'manifest.key.json': [...statement, ...key],
  'chart.identity.json': ['verify-blob', ...identity],
  'manifest.identity.json': [...statement, ...identity],
};

const verdicts = {};
for (const [name, words] of Object.entries(bundles)) {
  const text = readFileSync(name, 'utf8');
  const signed = name.startsWith('chart') ? 'chart.tgz' : 'manifest.json';
  const isAccepted = (bundle) => {
    writeFileSync('changed.json', bundle);
    return spawnSync(process.argv[2], [...words, '--bundle=changed.json', signed]).status === 0;
  };
  if (!isAccepted(text)) throw new Error(`cosign refuses ${name} as it is`);
  verdicts[name] = changesOf(text).map(isAccepted);
}
console.log(JSON.stringify(verdicts));
