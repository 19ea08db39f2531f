import { TshelmError } from '../support/errors.ts';

const names: ReadonlySet<string> = new Set(['', 'secret', 'secrets', 'configmap', 'configmaps', 'memory', 'sql']);

/** Refuses a $HELM_DRIVER that Helm does not know, as Helm does for every command. Errors: `unknown-driver`. */
export function checkDriverName(driver: string): void {
  if (!names.has(driver)) throw unknownDriver(driver);
}

export const unknownDriver = (driver: string): TshelmError<'unknown-driver'> =>
  new TshelmError('unknown-driver', {
    message: `unknown driver "${driver}"; set HELM_DRIVER to secret, configmap or memory`,
    details: { driver },
  });
