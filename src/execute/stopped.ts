/** Why a node that has done nothing wrong is not carried on with: something else failed, and that is what gets reported. */
export const stopped = new Error('stopped because another part of the release failed');
