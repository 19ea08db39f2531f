// Asks cosign (the first argument) which signers chart.identity.json proves; run by record.sh.
import { spawnSync } from 'node:child_process';
import { signers } from './signers.mjs';

const flagOf = (name) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
const verdicts = signers.map((signer) => {
  const flags = Object.entries(signer).map(([name, text]) => `${flagOf(name)}=${text}`);
  const words = [
    'verify-blob',
    ...flags,
    '--trusted-root=trusted-root.json',
    '--bundle=chart.identity.json',
    'chart.tgz',
  ];
  return spawnSync(process.argv[2], words).status === 0;
});
if (verdicts[0] !== true) throw new Error('cosign refuses the right signer');
console.log(JSON.stringify(verdicts));
