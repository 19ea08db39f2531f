import { deepCopy } from '../chart/tables.ts';
import type { GoMap, Value } from '../go/value.ts';
import { TshelmError } from '../support/errors.ts';

/** The template function `lookup`: an object, a list, or an empty map; throws GoError where the cluster refuses. */
export type Lookup = (apiVersion: string, kind: string, namespace: string, name: string) => Value;
/** Asks the cluster. Resolves to undefined where nothing is there; rejects with what a template author should read. */
export type FetchObject = (
  apiVersion: string,
  kind: string,
  namespace: string,
  name: string,
) => Promise<GoMap | undefined>;

/**
 * Runs a render that looks things up, although templates run synchronously: a pass in which something was asked for the first
 * time is thrown away (its errors too), everything it asked is fetched in parallel, and the render runs again.
 */
export async function renderWithLookups<R>(render: (lookup: Lookup) => R, fetch: FetchObject): Promise<R> {
  const answers = new Map<string, Answer>();
  for (let pass = 1; pass <= maxPasses; pass++) {
    const questions = new Map<string, Question>();
    const outcome = attempt(() => render(answeringFrom(answers, questions)));
    if (questions.size === 0) return outcome();
    await answerAll(questions, answers, fetch);
  }
  throw new TshelmError('endless-lookup', {
    message: `after ${maxPasses} passes the templates still look up new objects; a lookup must not depend on random or changing names`,
  });
}

const maxPasses = 50;

type Question = Parameters<Lookup>;
type Answer = { readonly value: GoMap } | { readonly error: unknown };

function attempt<R>(run: () => R): () => R {
  try {
    const result = run();
    return () => result;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

function answeringFrom(answers: ReadonlyMap<string, Answer>, questions: Map<string, Question>): Lookup {
  return (...question) => {
    const key = question.join('\0');
    const answer = answers.get(key);
    if (answer === undefined) {
      questions.set(key, question);
      return new Map();
    }
    if ('error' in answer) throw answer.error;
    // Templates may change what they got; the next one gets it as the cluster gave it.
    return deepCopy(answer.value);
  };
}

async function answerAll(
  questions: ReadonlyMap<string, Question>,
  answers: Map<string, Answer>,
  fetch: FetchObject,
): Promise<void> {
  const pending = [...questions].map(async ([key, question]) => {
    try {
      answers.set(key, { value: (await fetch(...question)) ?? new Map() });
    } catch (error) {
      answers.set(key, { error });
    }
  });
  await Promise.all(pending);
}
