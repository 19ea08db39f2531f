import { whenAborted } from './abort.ts';

/**
 * The answer to a question that is put once and kept, for all who want to know it. Each of them stops waiting by their own
 * signal; the question goes on for the others, and is called off when nobody waits for it any more. A failure is told to
 * those who wait and then forgotten: who comes later asks again.
 */
export class SharedPromise<Answer> {
  readonly #ask: (signal: AbortSignal) => Promise<Answer>;
  #question: Question<Answer> | undefined;

  constructor(ask: (signal: AbortSignal) => Promise<Answer>) {
    this.#ask = ask;
  }

  /** Asks if nobody has. Fails as the question does, or with the signal's reason. */
  async answer(signal?: AbortSignal): Promise<Answer> {
    signal?.throwIfAborted();
    this.#question ??= this.#begin();
    return this.#await(this.#question, signal);
  }

  /** The same, but does not ask: undefined where nobody has. */
  async answerIfAsked(signal?: AbortSignal): Promise<Answer | undefined> {
    return this.#question && this.#await(this.#question, signal);
  }

  /** Who comes later asks again; those who wait get what they asked for. */
  forget(): void {
    this.#question = undefined;
  }

  #begin(): Question<Answer> {
    const calledOff = new AbortController();
    const question = { calledOff, answer: this.#ask(calledOff.signal), waiting: 0, isAnswered: false };
    question.answer.then(
      () => (question.isAnswered = true),
      () => this.#drop(question),
    );
    return question;
  }

  async #await(question: Question<Answer>, signal: AbortSignal | undefined): Promise<Answer> {
    if (question.isAnswered) return question.answer;
    question.waiting += 1;
    try {
      return await untilAborted(question.answer, signal);
    } finally {
      question.waiting -= 1;
      if (question.waiting === 0 && !question.isAnswered) {
        this.#drop(question);
        question.calledOff.abort(signal?.reason);
      }
    }
  }

  #drop(question: Question<Answer>): void {
    if (this.#question === question) this.#question = undefined;
  }
}

interface Question<Answer> {
  readonly calledOff: AbortController;
  readonly answer: Promise<Answer>;
  waiting: number;
  isAnswered: boolean;
}

function untilAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const stop = whenAborted(signal, () => reject(signal.reason as Error));
    promise.then(resolve, reject).finally(stop);
  });
}
