import type { Display } from '../../../src/cli/progress/display.ts';
import type { Outcome } from '../../../src/cli/progress/reporter.ts';
import { StackModel } from '../../../src/cli/progress/stack/model.ts';
import type { ExecutionEvent } from '../../../src/execute/events.ts';
import { readyEvent, waitingRun } from './runs.ts';

export const failed = (text: string): Outcome & { readonly kind: 'failed' } => ({
  kind: 'failed',
  failure: new Error(text),
  text,
});

/** The run of a stack whose clock goes on a second with each event. `needs` by id. */
export function stackRun(needs: Readonly<Record<string, readonly string[]>>, display: Display) {
  let nowMs = 0;
  const releases = Object.entries(needs).map(([id, before]) => ({
    id,
    needs: before,
    name: id.split('/').at(-1) as string,
    namespace: 'shop',
    action: 'upgrade' as const,
    isEager: false,
  }));
  const model = new StackModel('apply', releases, () => nowMs);
  const of = (id: string) => {
    const release = model.of(id);
    if (release === undefined) throw new Error(`no release ${id}`);
    return release;
  };
  display.beginStack?.(model);
  return {
    model,
    begin(id: string, events: readonly ExecutionEvent[] = []): void {
      const run = model.begin(of(id));
      display.begin?.(run);
      for (const event of events) this.event(id, event);
    },
    event(id: string, event: ExecutionEvent): void {
      nowMs += 1000;
      model.take(event, of(id));
      display.show?.(event, of(id).run);
    },
    end(id: string, outcome: Outcome): void {
      nowMs += 1000;
      const { run } = of(id);
      model.end(of(id), outcome.kind, outcome.text ?? '');
      if (run !== undefined) display.end?.(run, outcome);
    },
    leaveOut(id: string, why: string): void {
      model.leaveOut(of(id), why);
      display.leaveOut?.(of(id));
    },
    finish(outcome: Outcome): boolean {
      model.endedMs = nowMs;
      return display.endStack?.(model, outcome) ?? false;
    },
  };
}

/** db is done, then web fails, and after is left out. */
export function showStack(display: Display) {
  const run = stackRun({ 'shop/db': [], 'shop/web': ['shop/db'], 'shop/after': ['shop/web'] }, display);
  run.begin('shop/db', [...waitingRun, readyEvent]);
  run.end('shop/db', { kind: 'succeeded', text: 'installed' });
  run.begin('shop/web', waitingRun);
  run.end('shop/web', failed('Deployment/web: no such image\nmore of it'));
  run.leaveOut('shop/after', 'needs shop/web');
  const isTold = run.finish(failed('1 of 3 releases failed'));
  display.close?.();
  return { ...run, isTold };
}
