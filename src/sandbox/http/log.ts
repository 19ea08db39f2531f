import type { ContainerLog } from '../controllers/pod-log.ts';
import { StatusError } from '../status.ts';
import { type Answer, text } from './answer.ts';
import { flag } from './request.ts';
import type { Serving } from './target.ts';

/** The log of a container; with `follow`, also what is written from now on until the container ends. */
export function logAnswer({ store, podLog }: Serving, namespace: string, name: string, query: URLSearchParams): Answer {
  const begun = podLog(namespace, name, query);
  if (!flag(query, 'follow')) return text(begun.text);
  const whole = new URLSearchParams(query);
  whole.delete('tailLines');
  return {
    kind: 'stream',
    run(response) {
      let sent = podLog(namespace, name, whole).text.length;
      response.writeHead(200, { 'Content-Type': 'text/plain' });
      response.flushHeaders();
      response.write(begun.text);
      const look = (isThere: boolean): void => {
        const now = isThere ? logNow(() => podLog(namespace, name, whole)) : undefined;
        if (now === undefined || now.restarts !== begun.restarts) return void response.end();
        response.write(now.text.slice(sent));
        sent = now.text.length;
        if (!now.isOpen) response.end();
      };
      const unsubscribe = store.subscribe(({ storageKey, type, object: { metadata } }) => {
        if (storageKey !== '/pods' || metadata.namespace !== namespace || metadata.name !== name) return;
        if (!response.writableEnded) look(type !== 'DELETED');
      });
      response.on('close', unsubscribe);
      look(true);
    },
  };
}

/** Undefined where there is none any more. */
function logNow(read: () => ContainerLog): ContainerLog | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof StatusError) return undefined;
    throw error;
  }
}
