export {};

declare module '../support/errors.ts' {
  interface ErrorDetails {
    /** Two plugins have the same name. Remove one of the two that the message names. */
    'duplicate-plugin': NoDetails;
    /** A plugin.yaml cannot be read. Fix what the message names, or remove the plugin's folder. */
    'invalid-plugin': NoDetails;
    /** A plugin has no program for this system. Use another version of the plugin. */
    'no-plugin-command': NoDetails;
    /** The program of a plugin failed. Its output is above; its exit code is passed on. */
    'plugin-failed': NoDetails;
    /** A plugin was not installed, updated, packed or removed. The message says why. */
    'plugin-refused': NoDetails;
    /** A plugin has no such version. Check --version; the repository's tags are the versions. */
    'plugin-version-not-found': NoDetails;
    /** A hook of a plugin failed. Its output is above; `tshelm plugin list` shows the plugins. */
    'plugin-hook-failed': NoDetails;
    /** A plugin cannot be run here. The message says why; run it with helm, or use another version of it. */
    'plugin-unusable': NoDetails;
  }
}
