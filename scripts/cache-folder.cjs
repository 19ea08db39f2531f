'use strict';
const { lstatSync, mkdirSync, realpathSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { dirname, join } = require('node:path');

const othersMayWrite = 0o022;
const isSticky = 0o1000;

/**
 * The folder of Node's compile cache: this user's own, in the system's folder for temporary files. Node runs what it finds
 * there, whoever wrote it, so undefined where anybody else but root could have. On Windows the folder's rights say so.
 */
exports.cacheFolder = function cacheFolder(temporary = tmpdir()) {
  const uid = process.getuid?.();
  const folder = join(temporary, uid === undefined ? 'tshelm-code' : `tshelm-code-${uid}`);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return uid === undefined || isPrivate(folder, uid) ? folder : undefined;
  } catch {
    // No such folder can be made here: every run compiles anew.
    return undefined;
  }
};

function isPrivate(folder, uid) {
  const stat = lstatSync(folder);
  return stat.isDirectory() && stat.uid === uid && (stat.mode & othersMayWrite) === 0 && areAboveSafe(folder, uid);
}

/** Whether nobody else can put another folder in the place of this one. Below a sticky folder only its owner can. */
function areAboveSafe(folder, uid) {
  for (let path = realpathSync(folder); path !== dirname(path); path = dirname(path)) {
    const above = lstatSync(dirname(path));
    if (above.uid !== 0 && above.uid !== uid) return false;
    if ((above.mode & othersMayWrite) !== 0 && (above.mode & isSticky) === 0) return false;
  }
  return true;
}
