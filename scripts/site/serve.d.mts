export function serveSite(site: string): Promise<{ readonly url: string; close(): void }>;
