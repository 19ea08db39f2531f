import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { goPathError } from '../../go/path-error.ts';
import { TshelmError } from '../../support/errors.ts';
import { isDigits } from '../../support/text.ts';
import type { CommandTree } from '../command-tree.ts';
import type { Io } from '../terminal/io.ts';
import { pagesOf } from './pages.ts';

export interface DocsOptions {
  readonly dir: string;
  /** `markdown`, `man` or `bash`. */
  readonly type: string;
  readonly generateHeaders: boolean;
  readonly now: Date;
  readonly env: Io['env'];
}

/** Writes the documentation of all commands into a folder that is there. Errors: `bad-arguments`. Go: cmd.docsOptions. */
export async function writeDocs(tree: CommandTree, options: DocsOptions): Promise<void> {
  for (const { file, text } of await filesOf(tree, options)) write(join(options.dir, file), text);

  function write(path: string, text: string): void {
    try {
      writeFileSync(path, text);
    } catch (cause) {
      throw new TshelmError('bad-arguments', { message: goPathError('open', path, cause).message, cause });
    }
  }
}

interface DocsFile {
  readonly file: string;
  readonly text: string;
}

async function filesOf(tree: CommandTree, options: DocsOptions): Promise<DocsFile[]> {
  const { type, generateHeaders, now } = options;
  const { day, month, year } = dateWords(now, options.env);
  switch (type) {
    case 'markdown':
    case 'mdown':
    case 'md': {
      const { markdownHeader, markdownPage } = await import('./markdown.ts');
      return (await pagesOf(tree)).map((page) => ({
        file: `${page.name.replaceAll(' ', '_')}.md`,
        text: (generateHeaders ? markdownHeader(page.name) : '') + markdownPage(page, `${day}-${month}-${year}`),
      }));
    }
    case 'man': {
      const { dashed, manPage } = await import('./man.ts');
      const heading = { month: `${month} ${year}`, title: tree.root().name().toUpperCase() };
      return (await pagesOf(tree)).map((page) => ({ file: `${dashed(page.name)}.1`, text: manPage(page, heading) }));
    }
    case 'bash': {
      const { completionScript } = await import('../completion/scripts.ts');
      return [{ file: 'completions.bash', text: completionScript('bash', tree.root().name(), { descriptions: true }) }];
    }
    default: {
      const message = `unknown doc type ${JSON.stringify(type)}. Try 'markdown' or 'man'`;
      throw new TshelmError('bad-arguments', { message });
    }
  }
}

/** `2`, `Sep`, `1977`; $SOURCE_DATE_EPOCH stands for now where it is set, so that pages can be made again. */
function dateWords(now: Date, env: Io['env']): Readonly<Record<'day' | 'month' | 'year', string>> {
  const epoch = env['SOURCE_DATE_EPOCH'] ?? '';
  const time = isDigits(epoch) ? new Date(Number(epoch) * 1000) : now;
  const [, day = '', month = '', year = ''] = /(\d+) (\w+) (\d+)/.exec(time.toUTCString()) ?? [];
  return { day: String(Number(day)), month, year };
}
