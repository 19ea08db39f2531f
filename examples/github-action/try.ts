import { sandbox } from 'tshelm/testing';
import { deploy } from './deploy.ts';

const { cluster, close } = await sandbox({ time: 'simulated' });
const inputs = { INPUT_RELEASE: 'shop', INPUT_CHART: '../chart' };
console.log('exit code', await deploy({ environment: { ...inputs, INPUT_SET: 'replicas=2' }, cluster }));
console.log('exit code', await deploy({ environment: { ...inputs, INPUT_SET: 'replicas=0' }, cluster }));
await close();
