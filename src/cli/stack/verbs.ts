import type { FlagSpec } from '../../change/option-rows.ts';
import { needsFlags } from '../../stack/option-flags.ts';
import type { CliContext } from '../context.ts';
import {
  deployFlags,
  destroyFlags,
  stackDiffFlags,
  stackDriftFlags,
  stackExportFlags,
  stackPlanFlags,
  stackRehearseFlags,
  stackTestFlags,
} from './change-flags.ts';
import { stackFileFlags } from './flags.ts';
import { dagFlags, listFlags, stackCheckFlags, stackLintFlags, templateFlags, writeValuesFlags } from './show-flags.ts';
import { stackDepsFlags, stackFetchFlags } from './supply-flags.ts';

/** A subcommand of `tshelm stack`: its flags, and what is loaded to run it. */
export interface StackVerb {
  readonly description: string;
  /** helmfile's name of it, where that is another. */
  readonly alias?: string;
  readonly flags: Readonly<Record<string, FlagSpec>>;
  readonly load: () => Promise<{ readonly run: (flags: never, context: CliContext) => Promise<void> }>;
}

export const stackVerbs = {
  apply: {
    description: 'install and upgrade the releases that change, each as soon as those it needs are done',
    flags: { ...stackFileFlags, ...deployFlags },
    load: async () => ({ run: (await import('./deploy-verbs.ts')).runApply }),
  },
  build: {
    description: 'print the state with everything resolved',
    flags: stackFileFlags,
    load: async () => ({ run: (await import('./show-verbs.ts')).runBuild }),
  },
  check: {
    description: 'find what a cluster would refuse in the releases, before deploying them',
    flags: { ...stackFileFlags, ...needsFlags, ...stackCheckFlags },
    load: async () => ({ run: (await import('./check-verb.ts')).runStackCheck }),
  },
  dag: {
    alias: 'show-dag',
    description: 'print the groups of releases and what each release needs',
    flags: { ...stackFileFlags, ...dagFlags },
    load: async () => ({ run: (await import('./show-verbs.ts')).runDag }),
  },
  deps: {
    description: 'update the dependencies of charts in folders, and write helmfile.lock',
    flags: { ...stackFileFlags, ...stackDepsFlags },
    load: async () => ({ run: (await import('./supply-verbs.ts')).runDeps }),
  },
  destroy: {
    description: 'uninstall the releases, each after those that need it',
    flags: { ...stackFileFlags, ...destroyFlags },
    load: async () => ({ run: (await import('./deploy-verbs.ts')).runDestroy }),
  },
  diff: {
    description: 'show what apply would change in the cluster',
    flags: { ...stackFileFlags, ...stackDiffFlags },
    load: async () => ({ run: (await import('./cluster-verbs.ts')).runDiff }),
  },
  drift: {
    description: 'show where the cluster no longer matches the releases, and who changed it; --fix brings it back',
    flags: { ...stackFileFlags, ...stackDriftFlags },
    load: async () => ({ run: (await import('./cluster-verbs.ts')).runStackDrift }),
  },
  export: {
    description: 'print the graph as jobs of GitLab CI, GitHub Actions or Argo Workflows',
    flags: { ...stackFileFlags, ...stackExportFlags },
    load: async () => ({ run: (await import('./export-verb.ts')).runExport }),
  },
  fetch: {
    description: 'download the charts of the releases',
    flags: { ...stackFileFlags, ...stackFetchFlags },
    load: async () => ({ run: (await import('./fetch-verb.ts')).runFetch }),
  },
  lint: {
    description: 'check the charts of the releases with their values',
    flags: { ...stackFileFlags, ...needsFlags, ...stackLintFlags },
    load: async () => ({ run: (await import('./lint-verb.ts')).runStackLint }),
  },
  list: {
    description: 'list the releases',
    flags: { ...stackFileFlags, ...listFlags },
    load: async () => ({ run: (await import('./show-verbs.ts')).runList }),
  },
  plan: {
    description: 'show what apply would do, release by release; --out saves it for tshelm apply',
    flags: { ...stackFileFlags, ...stackPlanFlags },
    load: async () => ({ run: (await import('./plan-verb.ts')).runStackPlan }),
  },
  rehearse: {
    description:
      'run the graph in sandboxes with simulated time, and show how long it takes, why, and what each failure would stop',
    flags: { ...stackFileFlags, ...stackRehearseFlags },
    load: async () => ({ run: (await import('./rehearse-verb.ts')).runStackRehearse }),
  },
  repos: {
    description: "add the repositories of the state files to Helm's list",
    flags: stackFileFlags,
    load: async () => ({ run: (await import('./supply-verbs.ts')).runRepos }),
  },
  status: {
    description: 'show the status of each release',
    flags: { ...stackFileFlags, ...needsFlags },
    load: async () => ({ run: (await import('./cluster-verbs.ts')).runStatus }),
  },
  sync: {
    description: 'install and upgrade all releases, each as soon as those it needs are done',
    flags: { ...stackFileFlags, ...deployFlags },
    load: async () => ({ run: (await import('./deploy-verbs.ts')).runSync }),
  },
  template: {
    description: 'render the charts of the releases',
    flags: { ...stackFileFlags, ...needsFlags, ...templateFlags },
    load: async () => ({ run: (await import('./template-verb.ts')).runTemplate }),
  },
  test: {
    description: 'run the tests of the releases',
    flags: { ...stackFileFlags, ...stackTestFlags },
    load: async () => ({ run: (await import('./test-verb.ts')).runStackTest }),
  },
  'write-values': {
    description: 'write the values of each release to a file',
    flags: { ...stackFileFlags, ...writeValuesFlags },
    load: async () => ({ run: (await import('./values-verb.ts')).runWriteValues }),
  },
} satisfies Record<string, StackVerb>;
