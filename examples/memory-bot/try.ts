import { isTshelmError } from 'tshelm';
import { sandbox } from 'tshelm/testing';
import { memoryEdits, pullRequest } from './bot.ts';

const chart = '../chart';
const cluster = await sandbox({ time: 'simulated', fail: 'shop=oom' });
try {
  await cluster.tshelm.install('shop', chart, { wait: 'watcher' });
} catch (error) {
  if (!isTshelmError(error)) throw error;
  const { title, body } = pullRequest('shop', memoryEdits(error, chart));
  console.log(`${title}\n\n${body}`);
} finally {
  await cluster.close();
}
