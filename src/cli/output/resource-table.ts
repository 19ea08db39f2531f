import type { KubernetesObject } from '../../manifest/types.ts';
import { tableText } from './table.ts';

/** The live objects of a release, a table for each kind, with the age of each object. */
export function resourceTables(resources: ReadonlyMap<string, readonly KubernetesObject[]>, now: Date): string {
  const groups = [...resources].sort(([a], [b]) => (a < b ? -1 : 1));
  return groups
    .map(([group, objects]) => {
      const rows = objects.map((object) => [object.metadata.name, ageText(object.metadata.creationTimestamp, now)]);
      return `==> ${group}\n${tableText([['NAME', 'AGE'], ...rows])}\n`;
    })
    .join('');
}

/** Kubernetes' duration.HumanDuration: `45s`, `3m12s`, `5h`, `12d`. */
export function ageText(created: string | undefined, now: Date): string {
  if (created === undefined) return '<unknown>';
  const seconds = Math.max(0, Math.floor((now.getTime() - Date.parse(created)) / 1000));
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 10) return seconds % 60 === 0 ? `${minutes}m` : `${minutes}m${seconds % 60}s`;
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  if (hours < 8) return minutes % 60 === 0 ? `${hours}h` : `${hours}h${minutes % 60}m`;
  if (hours < 48) return `${hours}h`;
  const days = Math.floor(hours / 24);
  if (hours < 192) return hours % 24 === 0 ? `${days}d` : `${days}d${hours % 24}h`;
  if (days < 365 * 2) return `${days}d`;
  const years = Math.floor(days / 365);
  return days < 365 * 8 && days % 365 !== 0 ? `${years}y${days % 365}d` : `${years}y`;
}
