import { describe, expect, test } from 'vitest';
import { SharedPromise } from '../../src/support/shared-promise.ts';

/** A question whose answers the test gives by hand, in the order in which it was put. */
function questions() {
  const put: { signal: AbortSignal; resolve: (answer: string) => void; reject: (error: Error) => void }[] = [];
  const asked = new SharedPromise<string>(
    (signal) => new Promise((resolve, reject) => put.push({ signal, resolve, reject })),
  );
  return { put, asked };
}

describe('a question is put once', () => {
  test('for all who wait, and for all who come later', async () => {
    const { put, asked } = questions();
    const waiting = [asked.answer(), asked.answer(new AbortController().signal), asked.answerIfAsked()];
    put[0]?.resolve('v1.36');
    await expect(Promise.all([...waiting, asked.answer()])).resolves.toEqual(['v1.36', 'v1.36', 'v1.36', 'v1.36']);
    expect(put).toHaveLength(1);
  });

  test('but not by those who only want to know whether it was', async () => {
    const { put, asked } = questions();
    await expect(asked.answerIfAsked()).resolves.toBeUndefined();
    expect(put).toHaveLength(0);
  });

  test('and again once it is forgotten; who waited gets what was asked for', async () => {
    const { put, asked } = questions();
    const [before, forgets] = [asked.answer(), asked.forget()];
    const after = asked.answer();
    put[1]?.resolve('new');
    put[0]?.resolve('old');
    expect([await before, forgets, await after, await asked.answer()]).toEqual(['old', undefined, 'new', 'new']);
  });

  test('and again after a failure, which all who waited are told', async () => {
    const { put, asked } = questions();
    const waiting = [asked.answer(), asked.answer(new AbortController().signal)];
    put[0]?.reject(new Error('connection refused'));
    for (const outcome of await Promise.allSettled(waiting))
      expect(outcome).toMatchObject({ status: 'rejected', reason: { message: 'connection refused' } });
    const again = asked.answer();
    put[1]?.resolve('v1.36');
    await expect(again).resolves.toBe('v1.36');
  });
});

describe('each asker waits by their own signal', () => {
  test('who gives up fails with the own reason, and the others get the answer', async () => {
    const { put, asked } = questions();
    const [first, second] = [new AbortController(), new AbortController()];
    const waiting = [asked.answer(first.signal), asked.answer(second.signal)] as const;
    first.abort(new Error('interrupted'));
    await expect(waiting[0]).rejects.toThrow('interrupted');
    expect(put[0]?.signal.aborted).toBe(false);
    put[0]?.resolve('v1.36');
    await expect(waiting[1]).resolves.toBe('v1.36');
    expect(put).toHaveLength(1);
  });

  test('when nobody waits any more the question is called off, and the next one asks anew', async () => {
    const { put, asked } = questions();
    const [first, second] = [new AbortController(), new AbortController()];
    const waiting = [asked.answer(first.signal), asked.answer(second.signal)];
    first.abort(new Error('interrupted'));
    second.abort(new Error('interrupted'));
    await Promise.allSettled(waiting);
    expect(put[0]?.signal.reason).toMatchObject({ message: 'interrupted' });
    const again = asked.answer();
    put[1]?.resolve('v1.36');
    await expect(again).resolves.toBe('v1.36');
  });

  test('an answer that is there stays when a signal aborts later; who has given up before is not answered', async () => {
    const { put, asked } = questions();
    const interruption = new AbortController();
    const answer = asked.answer(interruption.signal);
    put[0]?.resolve('v1.36');
    await answer;
    interruption.abort(new Error('interrupted'));
    await expect(asked.answer(interruption.signal)).rejects.toThrow('interrupted');
    await expect(asked.answer()).resolves.toBe('v1.36');
    expect(put).toHaveLength(1);
  });
});
