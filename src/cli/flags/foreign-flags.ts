const noHelm = 'tshelm does not run helm; leave the flag out';

/** Flags of helmfile that `tshelm stack` does not have, and what to do instead. */
export const foreignFlags: Readonly<Record<string, string>> = {
  '--allow-failed-releases': 'A failed release stops only those that need it; leave the flag out',
  '--disable-force-update': noHelm,
  '--enable-live-output': 'Use --progress to follow the releases',
  '--enforce-plugin-verification': noHelm,
  '--helm-binary': noHelm,
  '--interactive': 'Review with `tshelm stack diff`, or save a plan with `tshelm stack plan --out` and apply that',
  '--log-level': 'Use --quiet or --debug',
  '--otel-tracing': 'Use --progress=json for events with times',
  '--repo-retries': 'Requests to repositories are repeated anyway; leave the flag out',
  '--skip-refresh': 'Charts come from the address of their repository; there is nothing to refresh',
  '--strip-args-values-on-exit-error': 'Secrets are never printed; leave the flag out',
};
