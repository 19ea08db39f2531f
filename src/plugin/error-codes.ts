export {};

declare module '../support/errors.ts' {
  interface ErrorDetails {
    /** Two plugins have the same name. Uninstall one of the plugins that the message names. */
    'duplicate-plugin': NoDetails;
    /** A plugin.yaml cannot be read. Fix what the message names, or remove the plugin's folder. */
    'invalid-plugin': NoDetails;
    /** A plugin has no program for this system. Use another version of the plugin. */
    'no-plugin-command': NoDetails;
    /** The program of a plugin failed. Read the output of the program above; tshelm exits with its exit code. */
    'plugin-failed': NoDetails;
    /** A plugin was not installed, updated, packed or removed. Fix the reason that the message names. */
    'plugin-refused': NoDetails;
    /** A plugin has no such version. Check --version; the repository's tags are the versions. */
    'plugin-version-not-found': NoDetails;
    /** A hook of a plugin failed. Read the output of the hook above; `tshelm plugin list` shows the plugins. */
    'plugin-hook-failed': NoDetails;
    /** A plugin cannot run here, for the reason that the message names. Run the plugin with helm, or use another version. */
    'plugin-unusable': NoDetails;
  }
}
