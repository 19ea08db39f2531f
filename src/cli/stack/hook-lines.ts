import type { CliContext } from '../context.ts';

/** Writes what hooks with `showlogs` print, where there is no progress to write it to; with --quiet nothing. */
export const hookLines =
  ({ quiet }: { readonly quiet?: boolean | undefined }, { io, secrets }: CliContext) =>
  (text: string): void => {
    if (!quiet) io.stderr.write(secrets.redact(text.endsWith('\n') ? text : `${text}\n`));
  };
