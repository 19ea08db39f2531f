/** Go's words for a file that cannot be opened. */
export function fileProblem(file: string, cause: unknown): string {
  const { code } = cause as NodeJS.ErrnoException;
  if (code === 'ENOENT') return `open ${file}: no such file or directory`;
  if (code === 'EACCES') return `open ${file}: permission denied`;
  return `open ${file}: ${(cause as Error).message}`;
}
