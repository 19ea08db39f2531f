declare module '../support/errors.ts' {
  interface ErrorDetails {
    /** A tool of `tshelm mcp` was asked for a file outside of the server's folder. Name a file inside the folder, or start the server in the folder that contains the file. */
    'path-outside': { readonly path: string; readonly folder: string };
    /** A tool of `tshelm mcp` was asked for a code that tshelm does not have. Use a code exactly as a problem or a failure has it. */
    'code-unknown': { readonly code: string };
  }
}

export {};
