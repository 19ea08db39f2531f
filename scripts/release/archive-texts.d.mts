export interface ArchiveText {
  readonly path: string;
  readonly text: string;
}
export function archiveTexts(root: string): readonly ArchiveText[];
