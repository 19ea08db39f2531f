import type { Stage } from './stage.ts';

/** One run of a command with one fault, or several of a kind far from each other. */
export interface Point {
  readonly title: string;
  /** Plays it on a stage that is as {@link Act.prepare} leaves it. */
  readonly play: (stage: Stage) => Promise<Outcome>;
}

export interface Outcome {
  /** How many faults happened; 0 when the run had ended before they were due. */
  readonly injected: number;
  readonly problems: readonly string[];
}

export interface Result {
  readonly injected: number;
  readonly survived: number;
  readonly failures: readonly string[];
}

/** Whether every point is played, which takes an hour of two cores: by hand. */
export const isFull = process.env['CHAOS'] === 'full';

/** Which points a thinned run takes; another each day, so that all have their turn. */
const offset = Number(process.env['CHAOS_OFFSET'] ?? Math.floor(Date.now() / 86_400_000));

/** Every point of a full run, otherwise one of `nth`. */
export const chosen = <T>(points: readonly T[], nth: number): readonly T[] =>
  isFull ? points : points.filter((_, index) => index % nth === offset % nth);

/** One of several ways to play a point; over the days each point meets each of them. */
export const inTurn = <T>(ways: readonly T[], index: number): T => ways[(index + offset) % ways.length] as T;

/** Plays the points on all stages at once, each stage one after another; prints the count. */
export async function campaign(title: string, points: readonly Point[], stages: readonly Stage[]): Promise<Result> {
  const queue = [...points];
  const failures: string[] = [];
  let [injected, survived] = [0, 0];
  const work = async (stage: Stage): Promise<void> => {
    for (let point = queue.shift(); point !== undefined; point = queue.shift()) {
      const outcome = await played(point, stage);
      const { problems } = outcome;
      injected += outcome.injected;
      if (problems.length === 0) survived += outcome.injected;
      if (problems.length > 0) failures.push(`${point.title}:\n  ${problems.join('\n  ')}`);
      if (problems.length > 0) await stage.clear();
    }
  };
  await Promise.all(stages.map(work));
  console.log(`chaos: ${title}: ${injected} faults injected, ${survived} survived`);
  return { injected, survived, failures };
}

async function played(point: Point, stage: Stage): Promise<Outcome> {
  try {
    return await point.play(stage);
  } catch (error) {
    return { injected: 1, problems: [error instanceof Error ? error.message : String(error)] };
  }
}
