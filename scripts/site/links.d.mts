export function htmlPages(site: string): readonly string[];
export function deadLinksOf(site: string): readonly string[];
