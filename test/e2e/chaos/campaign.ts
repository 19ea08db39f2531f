import type { Stage } from './stage.ts';

/** One fault at one request of one command. */
export interface Point {
  readonly title: string;
  /** Plays it on a stage that is as {@link Act.prepare} leaves it. */
  readonly play: (stage: Stage) => Promise<Outcome>;
}

export interface Outcome {
  /** False when the run had ended before the fault was due. */
  readonly isInjected: boolean;
  readonly problems: readonly string[];
}

export interface Result {
  readonly injected: number;
  readonly survived: number;
  readonly failures: readonly string[];
}

/**
 * Of the points at each moment of a run, those that are played: all of them with CHAOS=full; otherwise one for every
 * `nth` moment. Which ones changes from day to day; CHAOS_OFFSET chooses them.
 */
export function chosen<T>(pointsByMoment: readonly (readonly T[])[], nth: number): readonly T[] {
  if (process.env['CHAOS'] === 'full') return pointsByMoment.flat();
  const offset = Number(process.env['CHAOS_OFFSET'] ?? Math.floor(Date.now() / 86_400_000));
  return pointsByMoment
    .filter((_, index) => index % nth === offset % nth)
    .flatMap((points, index) => points.slice((index + offset) % points.length).slice(0, 1));
}

/** Plays the points on all stages at once, each stage one after another; prints the count. */
export async function campaign(title: string, points: readonly Point[], stages: readonly Stage[]): Promise<Result> {
  const queue = [...points];
  const failures: string[] = [];
  let [injected, survived] = [0, 0];
  const work = async (stage: Stage): Promise<void> => {
    for (let point = queue.shift(); point !== undefined; point = queue.shift()) {
      const { isInjected, problems } = await played(point, stage);
      if (isInjected) injected += 1;
      if (isInjected && problems.length === 0) survived += 1;
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
    return { isInjected: true, problems: [error instanceof Error ? error.message : String(error)] };
  }
}
