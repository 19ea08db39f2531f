export interface PackagedFile {
  /** Below the archive's folder. */
  readonly path: string;
  readonly content: Uint8Array;
  readonly mode: number;
}
export function installers(release: {
  readonly version: string;
  readonly home: string;
  readonly checksums: Readonly<Record<string, string>>;
}): readonly { readonly name: string; readonly text: string }[];
export function debianPackage(release: {
  readonly version: string;
  readonly processor: string;
  readonly maintainer: string;
  readonly files: readonly PackagedFile[];
  readonly madeAt: Date;
}): Promise<Uint8Array>;
