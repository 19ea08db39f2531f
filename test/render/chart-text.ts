import { chartFromFiles } from '../../src/chart/assemble.ts';
import { ignoreNotices } from '../../src/chart/notice.ts';
import type { Chart } from '../../src/chart/types.ts';

export const chartYaml = 'apiVersion: v2\nname: web\nversion: 1.2.3\n';

/** A chart from the texts of its files; a Chart.yaml for `web` is added where there is none. */
export const chartOf = (files: Readonly<Record<string, string>>): Promise<Chart> =>
  Promise.resolve(
    chartFromFiles(
      Object.entries({ 'Chart.yaml': chartYaml, ...files }).map(([name, text]) => ({
        name,
        data: Buffer.from(text),
        modifiedAt: new Date(0),
      })),
      { origin: 'web', notify: ignoreNotices },
    ),
  );
