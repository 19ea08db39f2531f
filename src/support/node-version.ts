/**
 * The first import of each face of the library. An older Node gets as far as this: what it lacks is taken from its modules
 * when it is needed, and by name it would be missed before anything runs.
 */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19))
  throw new Error(`tshelm needs Node 20.19 or later; this is Node ${process.versions.node}`);

export {};
