import { type FlagsOf, optionsOf } from '../../change/option-rows.ts';
import { stackTrustFlags } from '../../stack/option-flags.ts';
import type { ChartTools } from '../../stack/work/charts.ts';
import type { CliContext } from '../context.ts';
import type { GlobalFlags } from '../settings.ts';

type ChartFlags = GlobalFlags & {
  readonly skipDeps?: boolean | undefined;
  readonly ociPlainHttp?: boolean | undefined;
} & Partial<FlagsOf<typeof stackTrustFlags>>;

/** How the command line has the charts of a stack. Errors: those of loadRequest. */
export const chartTools = (flags: ChartFlags, context: CliContext): ChartTools => ({
  skipDeps: flags.skipDeps,
  plainHttp: flags.ociPlainHttp,
  trust: optionsOf(stackTrustFlags, flags),
  async loadChart({ reference, access, dependencyUpdate }) {
    const { loadRequest } = await import('../sources/load-request.ts');
    const all = { ...flags, dependencyUpdate };
    const { chart } = await loadRequest(
      { reference, access, values: {}, flags: all, messageStream: 'stderr' },
      context,
    );
    return chart;
  },
});
