import type { Notify } from '../../chart/notice.ts';
import { slogLine } from '../../go/slog.ts';
import type { DownloadContext } from './named-chart.ts';

/** Prints what Helm logs on standard error. */
export const noticesPrinter =
  ({ io, secrets }: Pick<DownloadContext, 'io' | 'secrets'>): Notify =>
  ({ level, message, attributes }) =>
    io.stderr.write(secrets.redact(`${slogLine(level, message, attributes)}\n`));
