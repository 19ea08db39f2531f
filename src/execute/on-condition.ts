import { isVersionConflict } from '../cluster/api-error.ts';
import type { ResourceId } from '../manifest/types.ts';
import type { Run } from './context.ts';

const mostTries = 5;

/**
 * Sends an object on the context's condition (BeforeSend). `send` gets the version that it must still have; where somebody
 * has written it meanwhile, as controllers write its status, the condition is asked again.
 */
export async function onCondition(
  id: ResourceId,
  { context: { beforeSend } }: Run,
  send: (version: string | undefined) => Promise<void>,
): Promise<void> {
  for (let tries = 1; ; tries++) {
    const version = await beforeSend?.(id);
    try {
      return await send(version);
    } catch (error) {
      if (version === undefined || tries >= mostTries || !isVersionConflict(error)) throw error;
    }
  }
}
