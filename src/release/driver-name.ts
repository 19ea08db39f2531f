import { TshelmError } from '../support/errors.ts';

const inCluster: ReadonlySet<string> = new Set(['', 'secret', 'secrets', 'configmap', 'configmaps']);
const elsewhere: ReadonlySet<string> = new Set(['memory', 'sql']);

/** Whether a $HELM_DRIVER keeps releases in objects of the cluster. */
export const isKeptInCluster = (driver: string): boolean => inCluster.has(driver);

/** Refuses a $HELM_DRIVER that Helm does not know, as Helm does for every command. Errors: `unknown-driver`. */
export function checkDriverName(driver: string): void {
  if (!inCluster.has(driver) && !elsewhere.has(driver)) throw unknownDriver(driver);
}

export const unknownDriver = (driver: string): TshelmError<'unknown-driver'> =>
  new TshelmError('unknown-driver', {
    message: `unknown driver "${driver}"; set HELM_DRIVER to secret, configmap or memory`,
    details: { driver },
  });
