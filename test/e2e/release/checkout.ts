import { cpSync, readdirSync, symlinkSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';

const made = /^(?:node_modules|dist(?:\..*)?|coverage|release|site|\.git)$/;
const others = /^(?:test|fixtures)$/;

/** The files of this checkout once more: what is built there takes nothing from under the feet of other tests. */
export function copyCheckout(folder: string): string {
  const names = readdirSync('.').filter((name) => !made.test(name) && !others.test(name));
  const filter = (path: string): boolean => basename(path) !== 'node_modules';
  for (const name of [...names, 'fixtures/charts']) cpSync(name, join(folder, name), { recursive: true, filter });
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  return folder;
}
