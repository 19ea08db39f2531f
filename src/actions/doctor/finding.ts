/** What was examined: `-o json` names it. */
export type Area =
  | 'program'
  | 'variables'
  | 'kubeconfig'
  | 'server'
  | 'clock'
  | 'rights'
  | 'locks'
  | 'registries'
  | 'folders';

/** One thing that `doctor` looked at. An `error` keeps deploys from working; a `warning` may. */
export interface Finding {
  readonly area: Area;
  readonly level: 'ok' | 'note' | 'warning' | 'error';
  readonly text: string;
  /** What to do. */
  readonly fix?: string | undefined;
}
