import { resolve } from 'node:path';
import type { Value } from '../go/value.ts';
import { includeFunction } from '../render/engine-functions.ts';
import { environmentOf } from '../render/environment.ts';
import { boundFunctions, fixedFunctions } from '../render/functions/table.ts';
import type { SecretReader } from '../secrets/reader.ts';
import type { FunctionTable } from '../template/function.ts';
import { TemplateSet } from '../template/template-set.ts';
import { helmfileFunctions } from './functions/table.ts';
import { glob, type StackWorld } from './world.ts';

/**
 * Renders texts as helmfile does: sprig's functions and its own, files relative to `directory`, the helpers of its
 * `_*.tpl`, and a missing key is an error. Fails with TemplateError.
 */
export class TextRenderer {
  readonly #helpers: readonly string[];
  readonly #functions: FunctionTable;
  #running: TemplateSet | undefined;

  constructor(world: StackWorld, directory: string, secrets: SecretReader) {
    this.#helpers = glob(world, directory, '_*.tpl').map((name) => world.readFile(resolve(directory, name)));
    this.#functions = {
      ...boundFunctions(environmentOf({})),
      ...helmfileFunctions({ world, directory, secrets, render: (text, data) => this.render(text, data) }),
      include: includeFunction(() => this.#running as TemplateSet, new Map()),
    };
  }

  render(text: string, data: Value): string {
    if (!text.includes('{{')) return text;
    const set = new TemplateSet({
      name: 'stringTemplate',
      functions: this.#functions,
      base: fixedFunctions,
      missingKey: 'error',
    });
    for (const helper of this.#helpers) set.parse('stringTemplate', helper);
    const outer = this.#running;
    this.#running = set;
    try {
      return set.executeSource('stringTemplate', text, data);
    } finally {
      this.#running = outer;
    }
  }
}

/** Renderers by their folders: making one reads the folder's helpers. */
export class Renderers {
  readonly #made = new Map<string, TextRenderer>();
  readonly #world: StackWorld;
  readonly #secrets: SecretReader;

  constructor(world: StackWorld, secrets: SecretReader) {
    this.#world = world;
    this.#secrets = secrets;
  }

  in(directory: string): TextRenderer {
    const known = this.#made.get(directory);
    if (known !== undefined) return known;
    const renderer = new TextRenderer(this.#world, directory, this.#secrets);
    this.#made.set(directory, renderer);
    return renderer;
  }
}
