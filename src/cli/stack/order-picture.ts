import { bundled } from '../../show/bundles.ts';
import type { Picture, PictureBox } from '../../show/picture-types.ts';
import type { ShownGraph } from '../../stack/choose.ts';
import { groupsOf } from '../../stack/graph.ts';
import { isWanted, releaseId } from '../../stack/releases.ts';
import type { ReleaseSpec } from '../../stack/schema.ts';

/** The releases of a stack in their groups; several graphs in a box for each file, one after another. */
export function stackPicture(graphs: readonly ShownGraph[]): Picture {
  const [only, ...others] = graphs;
  if (only !== undefined && others.length === 0) return graphPicture(only, 'file1');
  const boxes = graphs.map((graph, index): PictureBox => {
    const id = `file${index + 1}`;
    const reasons = [index === 0 ? 'is read first' : 'comes after the previous file'];
    return { id, kind: 'step', title: graph.source ?? '', contents: [], reasons, inside: graphPicture(graph, id) };
  });
  return {
    columns: boxes.map((box) => ({ caption: '', boxes: [box] })),
    arrows: boxes.slice(1).map(({ id }, index) => ({ from: (boxes[index] as PictureBox).id, to: id })),
    gates: [],
  };
}

function graphPicture({ releases, locate }: ShownGraph, path: string): Picture {
  const groups = groupsOf(releases, { needs: 'with', locate });
  const all = groups.flat();
  const ids = new Map(all.map((release, index) => [releaseId(release), `${path}_${index + 1}`]));
  const columns = groups.map((group, index) => ({
    caption: groups.length > 1 ? `group ${index + 1}` : '',
    boxes: group.map((release) => releaseBox(release, ids.get(releaseId(release)) as string)),
  }));
  const arrows = all.flatMap((release) =>
    (release.needs ?? []).flatMap((need) => {
      const from = ids.get(need);
      return from === undefined ? [] : [{ from, to: ids.get(releaseId(release)) as string }];
    }),
  );
  return { columns, ...bundled(columns, arrows, path) };
}

function releaseBox(release: ReleaseSpec, id: string): PictureBox {
  const { chart = '', version, needs = [] } = release;
  return {
    id,
    kind: 'release',
    title: releaseId(release),
    contents: [
      `chart ${chart}${version === undefined || version === '' ? '' : ` ${version}`}`,
      ...(isWanted(release) ? [] : ['installed: false']),
    ],
    reasons: needs.length === 0 ? ['needs nothing else'] : needs.map((need) => `needs ${need}`),
  };
}
