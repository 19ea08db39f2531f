import { located } from './location.ts';
import { absolute, type Place, type Reading } from './reading.ts';

/** Where a file is that a state file names by a URL. Fails as fetching does, with the line that names it. */
export function remotePath(url: string, place: Place, { world, outside }: Pick<Reading, 'world' | 'outside'>): string {
  const locate = (): string => {
    const lines = world.readFile(absolute(place, place.file)).split('\n');
    const at = lines.findIndex((line) => line.includes(url));
    return at < 0 ? place.file : `${place.file}:${at + 1}`;
  };
  return located(locate, () => outside.pathOf(url));
}
