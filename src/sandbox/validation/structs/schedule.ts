import { parseDuration } from '../../../go/time/duration.ts';
import { messageOf } from '../../../support/errors.ts';

/** What robfig/cron/v3's ParseStandard says against a schedule. */
export function scheduleProblem(schedule: string): string | undefined {
  const bare = schedule.replace(/^(CRON_TZ|TZ)=\S+\s+/, '');
  if (bare.startsWith('@')) return descriptorProblem(bare);
  const fields = bare.split(/\s+/).filter(Boolean);
  if (fields.length !== 5) return `expected exactly 5 fields, found ${fields.length}: [${fields.join(' ')}]`;
  for (const [index, field] of fields.entries()) {
    for (const range of field.split(',').filter(Boolean)) {
      const problem = rangeProblem(range, bounds[index] as Bounds);
      if (problem !== undefined) return problem;
    }
  }
  return undefined;
}

const descriptors = ['yearly', 'annually', 'monthly', 'weekly', 'daily', 'midnight', 'hourly'];

function descriptorProblem(text: string): string | undefined {
  if (descriptors.includes(text.slice(1))) return undefined;
  const duration = /^@every (.*)$/.exec(text)?.[1];
  if (duration === undefined) return `unrecognized descriptor: ${text}`;
  try {
    parseDuration(duration);
    return undefined;
  } catch (error) {
    return `failed to parse duration ${text}: ${messageOf(error)}`;
  }
}

interface Bounds {
  readonly least: number;
  readonly most: number;
  /** Names of the numbers from `least` on. */
  readonly names?: readonly string[];
}

const bounds: readonly Bounds[] = [
  { least: 0, most: 59 },
  { least: 0, most: 23 },
  { least: 1, most: 31 },
  { least: 1, most: 12, names: 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ') },
  { least: 0, most: 6, names: 'sun mon tue wed thu fri sat'.split(' ') },
];

/** number | number "-" number [ "/" number ] */
function rangeProblem(range: string, { least, most, names = [] }: Bounds): string | undefined {
  const [span = '', step = '1', ...moreSteps] = range.split('/');
  const [first = '', last, ...moreEnds] = span.split('-');
  const read = (text: string): number => {
    const named = names.indexOf(text.toLowerCase());
    return named < 0 ? wholeNumber(text) : named + least;
  };
  const isAny = first === '*' || first === '?';
  const start = isAny ? least : read(first);
  const end = isAny || (last === undefined && range.includes('/')) ? most : last === undefined ? start : read(last);
  const unread = [
    [first, start],
    [last ?? '', end],
    [step, wholeNumber(step)],
  ].find(([, number]) => Number.isNaN(number))?.[0];
  if (moreEnds.length > 0) return `too many hyphens: ${range}`;
  if (unread !== undefined)
    return `failed to parse int from ${unread}: strconv.Atoi: parsing "${unread}": invalid syntax`;
  if (moreSteps.length > 0) return `too many slashes: ${range}`;
  if (start < least) return `beginning of range (${start}) below minimum (${least}): ${range}`;
  if (end > most) return `end of range (${end}) above maximum (${most}): ${range}`;
  if (start > end) return `beginning of range (${start}) beyond end of range (${end}): ${range}`;
  return Number(step) === 0 ? `step of range should be a positive number: ${range}` : undefined;
}

const wholeNumber = (text: string): number => (/^\+?\d+$/.test(text) ? Number(text) : Number.NaN);

/** validateTimeZone: a name of the IANA database. */
export function timeZoneProblem(zone: string): string | undefined {
  if (zone === '') return 'timeZone must be nil or non-empty string';
  if (zone.toLowerCase() === 'local') {
    return 'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones';
  }
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return undefined;
  } catch {
    // Intl knows the same database, and throws for a name that is not in it.
    return `unknown time zone ${zone}`;
  }
}
