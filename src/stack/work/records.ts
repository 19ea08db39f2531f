import { newestOfEach } from '../../release/history.ts';
import type { Release } from '../../release/types.ts';
import type { StackSession } from './session.ts';

/** The newest revision of each release: one list for each namespace, however many releases are asked for. */
export class StackRecords {
  readonly #listed = new Map<StackSession['storage'], Promise<ReadonlyMap<string, Release>>>();

  async newest(name: string, session: StackSession): Promise<Release | undefined> {
    const list = this.#listed.get(session.storage) ?? recordsIn(session);
    this.#listed.set(session.storage, list);
    return (await list).get(name);
  }
}

async function recordsIn(session: StackSession): Promise<ReadonlyMap<string, Release>> {
  const storage = await session.storage();
  const found = newestOfEach(await storage.list({ namespace: session.namespace, newestOnly: true }));
  return new Map(found.map((release) => [release.name, release]));
}
