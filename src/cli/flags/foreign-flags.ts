const noHelm = 'tshelm does not run helm; leave the flag out';
const noDiff = '`tshelm stack apply` prints no diff; remove the flag';

/** Flags of helmfile that `tshelm stack` does not have, and what to do instead. */
export const foreignFlags: Readonly<Record<string, string>> = {
  '--allow-failed-releases': 'A failed release only stops the releases that need it; remove the flag',
  '--detailed-exitcode': 'Use `tshelm stack diff --exit-code`',
  '--disable-force-update': noHelm,
  '--enable-live-output': 'Use --progress to follow the releases',
  '--enforce-plugin-verification': noHelm,
  '--helm-binary': noHelm,
  '--hide-notes': 'Notes of releases are not printed; remove the flag',
  '--interactive': 'Review with `tshelm stack diff`, or save a plan with `tshelm stack plan --out` and apply that',
  '--log-level': 'Use --quiet or --debug',
  '--otel-tracing': 'Use --progress=json for events with times',
  '--repo-retries': 'Requests to repositories are always retried; remove the flag',
  '--skip-diff-on-install': noDiff,
  '--skip-diff-validation-on-install': noDiff,
  '--skip-refresh': 'Charts are fetched directly from their repository URL; there is nothing to refresh',
  '--strip-args-values-on-exit-error': 'Secrets are never printed; leave the flag out',
  '--suppress-diff': noDiff,
  '--suppress-secrets': 'Secrets are masked anyway; remove the flag',
};
