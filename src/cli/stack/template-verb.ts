import { type FlagsOf, optionsOf } from '../../change/option-rows.ts';
import type { Cluster } from '../../cluster/types.ts';
import type { needsFlags } from '../../stack/option-flags.ts';
import type { ReleaseSpec } from '../../stack/schema.ts';
import { addedDetail } from '../../support/errors.ts';
import type { CliContext } from '../context.ts';
import { withPrefix } from '../errors/error-text.ts';
import type { GlobalFlags } from '../settings.ts';
import type { StackFlags } from './flags.ts';
import { openReadOnlyRun } from './read-only-run.ts';
import { type releaseValueFlags, templateOptionFlags } from './show-flags.ts';

type TemplateVerbFlags = StackFlags &
  FlagsOf<typeof needsFlags & typeof templateOptionFlags & typeof releaseValueFlags>;

/** What `helmfile template` prints: the releases in the order of their groups, file by file. */
export async function runTemplate(flags: TemplateVerbFlags, context: CliContext): Promise<void> {
  const { templateStack } = await import('../../stack/work/template.ts');
  const { io, secrets } = context;
  const templating = {
    options: { ...optionsOf(templateOptionFlags, flags), now: io.now },
    clusterOf: (release: ReleaseSpec) => clusterOf(release, flags, context),
  };
  await templateStack(
    await openReadOnlyRun('template', flags, context),
    templating,
    async ({ release, file }, render) => {
      try {
        const { output, warnings } = await render();
        for (const warning of warnings) io.stderr.write(`${warning}\n`);
        io.stdout.write(`${output}\n`, 'data');
      } catch (thrown) {
        const output = addedDetail(thrown, 'output');
        if (output !== undefined) io.stdout.write(secrets.redact(output), 'data');
        throw withPrefix(`release ${release.name ?? ''} of ${file.source}`, thrown);
      }
    },
  );
}

/** That of a release. */
export const clusterOf = async (
  { kubeContext }: ReleaseSpec,
  flags: GlobalFlags,
  context: CliContext,
): Promise<Cluster> => (await context.open(kubeContext === undefined ? flags : { ...flags, kubeContext })).cluster();
