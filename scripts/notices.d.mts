import type { Metafile } from 'esbuild';

export function packagesIn(metafiles: readonly Metafile[]): string[];
export function noticesText(root: string, folders: readonly string[]): string;
