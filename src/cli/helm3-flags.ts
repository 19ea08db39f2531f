import { boolOf, type FlagSpec } from './flag-option.ts';

/**
 * Flags of Helm 3 that Helm 4 refuses, by command: pipelines still give them. What they asked for happens anyway, or the
 * refusal names the way out. Help does not show them.
 */
export const helm3Flags = {
  list: {
    all: {
      type: 'bool',
      short: 'a',
      deprecated: 'list shows releases of every status',
      description: 'show releases of every status, as without it',
    },
  },
  repoAdd: {
    'no-update': {
      type: 'bool',
      deprecated: 'a repository that is there already is replaced with --force-update alone',
      description: 'ignored, as in Helm 3',
    },
  },
  repoUpdate: {
    'fail-on-repo-update-fail': {
      type: 'bool',
      deprecated: 'the update fails where that of any repository fails',
      description: 'fail where the update of a repository fails, as without it',
    },
  },
  status: {
    'show-desc': {
      type: 'bool',
      deprecated: 'status always shows the description',
      description: 'show the description, as without it',
    },
  },
  test: {
    'hide-notes': {
      type: 'bool',
      deprecated: 'test shows no notes',
      description: 'show no notes, as without it',
    },
  },
  restart: {
    'recreate-pods': {
      type: 'choice',
      alone: 'true',
      hidden: true,
      parse: refuseRestart,
      description: 'restart the pods of the release',
    },
  },
} satisfies Record<string, Record<string, FlagSpec>>;

function refuseRestart(text: string): string {
  if (boolOf(text) === false) return text;
  throw new Error(
    'Helm 4 has no such flag: run `kubectl rollout restart` afterwards, or have the pods annotated with a checksum of what they read',
  );
}
