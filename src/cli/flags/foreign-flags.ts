const noHelm = 'tshelm does not run helm; leave the flag out';

/** Flags of helmfile that `tshelm stack` does not have, and what to do instead. */
export const foreignFlags: Readonly<Record<string, string>> = {
  '--allow-failed-releases': 'A failed release only stops the releases that need it; remove the flag',
  '--disable-force-update': noHelm,
  '--enable-live-output': 'Use --progress to follow the releases',
  '--enforce-plugin-verification': noHelm,
  '--helm-binary': noHelm,
  '--interactive': 'Review with `tshelm stack diff`, or save a plan with `tshelm stack plan --out` and apply that',
  '--log-level': 'Use --quiet or --debug',
  '--otel-tracing': 'Use --progress=json for events with times',
  '--repo-retries': 'Requests to repositories are always retried; remove the flag',
  '--skip-refresh': 'Charts are fetched directly from their repository URL; there is nothing to refresh',
  '--strip-args-values-on-exit-error': 'Secrets are never printed; leave the flag out',
};
