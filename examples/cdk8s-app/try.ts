import { toYaml } from 'tshelm';
import { synthesize } from './app.ts';

process.stdout.write(toYaml(synthesize()));
