import { hasCode, messageOf } from '../../support/errors.ts';
import { LeftOut } from '../run-graph.ts';
import { contextOf, type StackSessions } from './sessions.ts';
import { type ReleaseInFile, type StackTools, withPlaces } from './tools.ts';

/** Which clusters of a run cannot be asked. What such a cluster has to do is left out, and the cluster told of once. */
export class ClusterReach {
  readonly #sessions: StackSessions;
  readonly #tools: Pick<StackTools, 'placed'>;
  readonly #asked = new Map<string, Promise<void>>();
  readonly #lost = new Map<string, unknown>();

  constructor(sessions: StackSessions, tools: Pick<StackTools, 'placed'>) {
    this.#sessions = sessions;
    this.#tools = tools;
  }

  /** Works on a release if its cluster answers. Fails with LeftOut, and as the work does. */
  async with<T>(of: ReleaseInFile, work: () => Promise<T>): Promise<T> {
    const context = contextOf(of.release, of.file);
    // A failure to reach it is in #lost then.
    const asked = this.#asked.get(context) ?? this.#noting(context, () => this.#ask(context)).catch(() => undefined);
    this.#asked.set(context, asked);
    await asked;
    if (this.#lost.has(context)) throw new LeftOut(nameOf(context));
    return withPlaces(of, this.#tools, () => this.#noting(context, work));
  }

  /** Why clusters cannot be asked, by the name that is in LeftOut. */
  unreachableClusters(): ReadonlyMap<string, string> {
    return new Map([...this.#lost].map(([context, error]) => [nameOf(context), messageOf(error)]));
  }

  async #ask(context: string): Promise<void> {
    const cluster = await (await this.#sessions.in(context, '')).cluster();
    await cluster.version();
  }

  async #noting<T>(context: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (isUnreachable(error) && !this.#lost.has(context)) this.#lost.set(context, error);
      throw error;
    }
  }
}

const nameOf = (context: string): string => (context === '' ? 'the cluster' : `cluster ${context}`);

const isUnreachable = (error: unknown): boolean =>
  error instanceof Error && (hasCode(error, 'cluster-unreachable') || isUnreachable(error.cause));
