import { formatTime } from '../../go/time/format.ts';
import { parseTime } from '../../go/time/parse.ts';
import { localZone, utc, type Zone } from '../../go/time/zone.ts';
import type { Cell } from '../terminal/fitted-table.ts';

/** A recorded time (RFC 3339 text), in its own zone, by a Go layout. */
export const formatTimeAs = (time: string, layout: string): string => formatIn(localZone(), time, layout);

/** `zone` gives its name to times with its offset. */
const formatIn = (zone: Zone, time: string, layout: string): string =>
  formatTime(parseTime('2006-01-02T15:04:05Z07:00', time, zone), layout);

/** Go's time.ANSIC: `Sat Nov 21 09:47:04 2026`. It names no zone, and to find the local one takes a while. */
export const ansicTime = (time: string): string => formatIn(utc, time, 'Mon Jan _2 15:04:05 2006');

/** Go's Time.String(): `2026-11-21 09:47:04.123456789 +0000 UTC`. */
export const timeString = (time: string): string => formatTimeAs(time, '2006-01-02 15:04:05.999999999 -0700 MST');

/** A recorded time in a table, beside how Helm prints it; to the second, in its own zone, where there is little room. */
export const timeCell = (time: string, full: string): Cell => ({
  full,
  short: formatIn(utc, time, '2006-01-02 15:04:05'),
});

/** `2026-11-21 09:47:04 UTC`. */
export const secondsTime = (time: string): string => formatIn(utc, time, '2006-01-02 15:04:05 MST');
