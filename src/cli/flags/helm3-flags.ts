import { boolOf, type FlagSpec } from '../../change/option-rows.ts';

/**
 * Flags of Helm 3 that Helm 4 refuses, by command: pipelines still give them. What they asked for happens anyway, or the
 * refusal names the way out. Help does not show them.
 */
export const helm3Flags = {
  list: {
    all: {
      type: 'bool',
      short: 'a',
      deprecated: 'list always shows releases of every status',
      description: 'show releases of every status (always the case)',
    },
  },
  repoAdd: {
    'no-update': {
      type: 'bool',
      deprecated: 'an existing repository is only replaced with --force-update',
      description: 'ignored, as in Helm 3',
    },
  },
  repoUpdate: {
    'fail-on-repo-update-fail': {
      type: 'bool',
      deprecated: 'the update always fails if that of any repository fails',
      description: 'fail if the update of a repository fails (always the case)',
    },
  },
  status: {
    'show-desc': {
      type: 'bool',
      deprecated: 'status always shows the description',
      description: 'show the description (always the case)',
    },
  },
  test: {
    'hide-notes': {
      type: 'bool',
      deprecated: 'test never shows notes',
      description: 'show no notes (always the case)',
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
    'Helm 4 has no such flag: run `kubectl rollout restart` afterwards, or annotate the pods with a checksum of their configuration',
  );
}
