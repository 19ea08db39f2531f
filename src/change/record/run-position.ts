import type { ExecutionEvent } from '../../execute/events.ts';
import { kindAndName } from '../../manifest/resource-id.ts';

const listed = 3;

/** How far a run has come, for the record of one that is stopped: told by its events. */
export class RunPosition {
  #step = '';
  readonly #hooks = new Set<string>();
  readonly #done = new Set<string>();
  readonly #waiting = new Set<string>();

  onEvent(event: ExecutionEvent): void {
    switch (event.kind) {
      case 'step-started':
        this.#step = event.title;
        for (const set of [this.#hooks, this.#done, this.#waiting]) set.clear();
        break;
      case 'hook':
        if (event.state === 'succeeded' || event.state === 'deleted') this.#hooks.delete(kindAndName(event.id));
        else this.#hooks.add(kindAndName(event.id));
        break;
      case 'resource':
        this.#resource(kindAndName(event.id), event.state);
        break;
      default:
    }
  }

  /** `at "apply 12 resources" (5 done; waiting for Deployment/web)`; '' before anything was begun. */
  text(): string {
    if (this.#step === '') return '';
    const facts = [
      ...(this.#hooks.size > 0 ? [`in ${list(this.#hooks)}`] : []),
      ...(this.#done.size > 0 ? [`${this.#done.size} done`] : []),
      ...(this.#waiting.size > 0 ? [`waiting for ${list(this.#waiting)}`] : []),
    ];
    return `at "${this.#step}"${facts.length === 0 ? '' : ` (${facts.join('; ')})`}`;
  }

  #resource(name: string, state: Extract<ExecutionEvent, { kind: 'resource' }>['state']): void {
    switch (state) {
      case 'created':
      case 'configured':
      case 'unchanged':
      case 'deleted':
        this.#done.add(name);
        break;
      case 'waiting':
        this.#waiting.add(name);
        break;
      case 'ready':
        this.#waiting.delete(name);
        break;
      default:
    }
  }
}

function list(names: ReadonlySet<string>): string {
  const shown = [...names].slice(0, listed).join(', ');
  return names.size > listed ? `${shown} and ${names.size - listed} more` : shown;
}
