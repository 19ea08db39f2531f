export const replacedPackages: Readonly<Record<string, string>>;
