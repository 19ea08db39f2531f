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
  /** What to do, where that is the same for all of its kind. */
  readonly remedy?: Remedy | undefined;
  /** The run that did not end, where a command goes on with it. */
  readonly unfinished?: UnfinishedRun | undefined;
}

export interface UnfinishedRun {
  readonly release: string;
  readonly operation: string;
}

/** To get a Role with all rights that are missing; to set the clock; to run what did not end again; to serve a kind. */
export type Remedy = 'print-role' | 'set-clock' | 'run-again' | 'serve-kind';
