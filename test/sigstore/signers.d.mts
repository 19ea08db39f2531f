export const signers: readonly Readonly<Record<string, string>>[];
