import type { FlagsOf } from '../../change/option-rows.ts';
import { selectedForShow, shownGraphs } from '../../stack/choose.ts';
import { noneFound, type OpenStack } from '../../stack/work/open-stack.ts';
import type { CliContext } from '../context.ts';
import { fittedTable } from '../terminal/fitted-table.ts';
import { kindOf } from '../terminal/io.ts';
import type { StackFlags } from './flags.ts';
import { openStack } from './open-stack.ts';
import type { dagFlags, listFlags } from './show-flags.ts';

export async function runBuild(flags: StackFlags, context: CliContext): Promise<void> {
  const { buildText } = await import('../../stack/texts.ts');
  const { files, reading } = await openStack(flags, context);
  for (const file of files) context.io.stdout.write(buildText(file, reading), 'data');
  refuseEmptySelection({ files, reading });
}

export async function runList(flags: StackFlags & FlagsOf<typeof listFlags>, context: CliContext): Promise<void> {
  const { listedReleases, listJson, listLayout, listRows } = await import('../../stack/texts.ts');
  const opened = await openStack(flags, context);
  refuseEmptySelection(opened);
  const listed = listedReleases(opened.files);
  const table = (): string => fittedTable(listRows(listed), context.io, { layout: listLayout });
  context.io.stdout.write(flags.output === 'json' ? listJson(listed) : table(), kindOf(flags.output));
}

export async function runDag(flags: StackFlags & FlagsOf<typeof dagFlags>, context: CliContext): Promise<void> {
  const { dagLayout, dagRows } = await import('../../stack/texts.ts');
  const { files, reading } = await openStack(flags, context);
  if (flags.output === 'html') {
    const { stackPicture } = await import('./order-picture.ts');
    const { stackOrderPage } = await import('../../show/page/page.ts');
    const title = `Order of releases, environment ${reading.request.environment}`;
    context.io.stdout.write(stackOrderPage(title, stackPicture(shownGraphs(files))), 'page');
    return;
  }
  for (const graph of shownGraphs(files))
    context.io.stdout.write(fittedTable(dagRows(graph), context.io, { layout: dagLayout }));
  refuseEmptySelection({ files, reading });
}

/** A file without a release that is chosen is shown; where no file has one, that is a failure all the same. */
function refuseEmptySelection({ files, reading }: OpenStack): void {
  if (files.every((file) => selectedForShow(file).length === 0)) throw noneFound(reading);
}
