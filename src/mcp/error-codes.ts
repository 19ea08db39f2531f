declare module '../support/errors.ts' {
  interface ErrorDetails {
    /** A tool of `tshelm mcp` was asked for a file outside of the server's folder. Name one inside, or start the server in the folder that has it. */
    'path-outside': { readonly path: string; readonly folder: string };
    /** A tool of `tshelm mcp` was asked for a code that tshelm does not have. Take the code from a problem or a failure as it is. */
    'code-unknown': { readonly code: string };
  }
}

export {};
