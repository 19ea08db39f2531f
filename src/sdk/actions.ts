/* The actions that only read releases: loaded with the first call of one. */
export { diagnose } from '../actions/diagnose.ts';
export { diffRollback } from '../actions/diff.ts';
export { drift } from '../actions/drift.ts';
export { getMetadata, getRelease, getValues } from '../actions/get.ts';
export { healthOfObject } from '../actions/health.ts';
export { history } from '../actions/history.ts';
export { list } from '../actions/list.ts';
export { status } from '../actions/status.ts';
