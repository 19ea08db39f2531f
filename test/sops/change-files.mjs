// Asks sops (the first argument) of each changed file whether it decrypts it; run by record.sh.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { changesOf } from './changes.mjs';

const verdicts = {};
for (const name of ['values.encrypted.yaml', 'some.encrypted.yaml']) {
  const text = readFileSync(name, 'utf8');
  verdicts[name] = changesOf(text).map((changed) => {
    const command = `cat | '${process.argv[2]}' decrypt --input-type yaml --output-type yaml /dev/stdin`;
    return spawnSync('sh', ['-c', command], { input: changed }).status === 0;
  });
}
console.log(JSON.stringify(verdicts));
