'use strict';
// Files that are run as code: nobody but this user and root may have written them. On Windows the folder's rights say so.
const { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, realpathSync } = require('node:fs');
const { dirname } = require('node:path');

const othersMayWrite = 0o022;
const isSticky = 0o1000;

/** Whether a folder is this user's own, and neither it nor a folder above it can be changed by somebody else. */
exports.isPrivateFolder = function isPrivateFolder(folder) {
  if (process.getuid === undefined) return true;
  try {
    const stat = lstatSync(folder);
    return stat.isDirectory() && isOwn(stat) && areAboveSafe(realpathSync(folder));
  } catch {
    return false;
  }
};

function areAboveSafe(path) {
  const parent = dirname(path);
  if (parent === path) return true;
  const { uid, mode } = lstatSync(parent);
  // Below /tmp nobody can move what is somebody else's.
  const isSafe = (uid === 0 || uid === process.getuid()) && ((mode & othersMayWrite) === 0 || (mode & isSticky) !== 0);
  return isSafe && areAboveSafe(parent);
}

/** The bytes of a file of this user's own; undefined for any other, a link, and where there is none. */
exports.readPrivateFile = function readPrivateFile(path) {
  let file;
  try {
    file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    const stat = fstatSync(file);
    return stat.isFile() && isOwn(stat) ? readFileSync(file) : undefined;
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
};

const isOwn = ({ uid, mode }) =>
  process.getuid === undefined || (uid === process.getuid() && (mode & othersMayWrite) === 0);
