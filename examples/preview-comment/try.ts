import { sandbox } from 'tshelm/testing';
import { previewComment } from './comment.ts';

const { tshelm, cluster, close } = await sandbox({ time: 'simulated' });
const chart = '../chart';
await tshelm.install('shop', chart);
console.log(await previewComment({ cluster, name: 'shop', chart, values: { greeting: 'welcome' } }));
await close();
