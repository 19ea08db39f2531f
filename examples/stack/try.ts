import { sandbox } from 'tshelm/testing';
import { release } from './release.ts';

const { cluster, close } = await sandbox({ time: 'simulated' });
const rollout = { cluster, folder: import.meta.dirname, write: (line: string) => console.log(line) };
await release({ ...rollout, approve: async () => true });
await release({
  ...rollout,
  environment: 'sale',
  approve: async (changes) => {
    console.log(`\n${changes}`);
    return true;
  },
});
await close();
