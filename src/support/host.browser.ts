// host.ts for browsers: a system whose paths have "/", and no environment.

export const platform: NodeJS.Platform = 'linux';

export const environmentVariable = (): undefined => undefined;
