import type { Face } from './types.mjs';

export function apiPage(faces: Readonly<Record<string, Face>>): string;
