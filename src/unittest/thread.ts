import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { FoundCharts } from './found-charts.ts';
import { type FromThread, runUnit, type ThreadData, type ToThread, takeUnit } from './shared-work.ts';
import { SuiteRunner } from './suite-runner.ts';

/** Runs units of a run until none is left: what a thread does from its start to its end. */
export async function runThread(
  port: MessagePort | null = parentPort,
  data: ThreadData = workerData as ThreadData,
): Promise<void> {
  if (port === null) throw new Error('internal: this is no thread');
  const send = (message: FromThread): void => port.postMessage(message);
  const { charts, options } = data;
  const found = new FoundCharts(charts, options);
  const downloadSchema = schemasFrom(port);
  const runner = new SuiteRunner({ ...options, downloadSchema, now: () => performance.now() });
  const tools = { found, runner, withCoverage: options.withCoverage };
  for (let number = takeUnit(data); number !== undefined; number = takeUnit(data)) {
    const unit = data.units[number];
    if (unit !== undefined) send({ kind: 'done', ...(await runUnit(number, unit, tools)) });
  }
  port.close();
}

/** Has the main thread download schemas, which knows where from and with which credentials. */
function schemasFrom(port: MessagePort): (url: string) => Promise<Uint8Array> {
  const waiting = new Map<number, (answer: ToThread) => void>();
  port.on('message', (answer: ToThread) => waiting.get(answer.id)?.(answer));
  return (url) =>
    new Promise((resolve, reject) => {
      const id = waiting.size;
      waiting.set(id, (answer) => ('schema' in answer ? resolve(answer.schema) : reject(new Error(answer.error))));
      port.postMessage({ kind: 'schema', id, url } satisfies FromThread);
    });
}
