/** Time as the sandbox sees it, so that a rehearsal can run on a clock of its own. */
export { systemTimers as systemClock, type Timers as Clock } from '../support/timers.ts';
