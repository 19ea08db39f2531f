import { sandbox } from 'tshelm/testing';
import { reconcile } from './operator.ts';

const { cluster, close } = await sandbox({ time: 'simulated' });
const wanted = new Map(Array.from({ length: 10 }, (_, index) => [`shop-${index}`, { replicas: 1 + (index % 3) }]));
const round = async (): Promise<void> => console.log(await reconcile({ cluster, chart: '../chart', wanted }));

await round();
wanted.set('shop-7', { replicas: 5 });
wanted.delete('shop-9');
await round();
await close();
