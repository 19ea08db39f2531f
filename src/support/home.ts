import { homedir } from 'node:os';

/**
 * The user's folder: `$HOME`, which is given, or what the password file says. A container may run as a user that this
 * file does not know: then the empty text, so that paths begin in the working folder, as those of Helm do.
 */
export function homeFolder(home: string | undefined, inPasswordFile: () => string = homedir): string {
  if (home) return home;
  try {
    return inPasswordFile();
  } catch {
    // The password file does not know this user.
    return '';
  }
}
