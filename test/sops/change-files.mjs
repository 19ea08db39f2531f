// Asks sops (the first argument) what it makes of each changed file, false where it refuses it; run by record.sh.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { changesOf } from './changes.mjs';

const files = {
  'values.encrypted.yaml': 'yaml',
  'some.encrypted.yaml': 'yaml',
  'values.encrypted.json': 'json',
  'settings.encrypted.env': 'dotenv',
  'text.encrypted.bin': 'binary',
};
const verdicts = {};
for (const [name, type] of Object.entries(files)) {
  const text = readFileSync(name, 'utf8');
  verdicts[name] = changesOf(text).map((changed) => {
    const command = `cat | '${process.argv[2]}' decrypt --input-type ${type} --output-type ${type} /dev/stdin`;
    const { status, stdout } = spawnSync('sh', ['-c', command], { input: changed });
    return status === 0 && stdout.toString();
  });
}
console.log(JSON.stringify(verdicts));
