import { helmFunctions } from '../render/engine.ts';
import texts from './function-texts.txt?raw';

const sentences: ReadonlyMap<string, string> = new Map(
  texts.split('\n').flatMap((line): [string, string][] => {
    const at = line.indexOf('=');
    return at < 0 ? [] : [[line.slice(0, at), line.slice(at + 1)]];
  }),
);

/** A function that templates may call, with its Go types. */
export interface FunctionText {
  readonly name: string;
  /** `trunc func(int, string) string` */
  readonly signature: string;
  /** '' where there is nothing to say. */
  readonly text: string;
}

let known: ReadonlyMap<string, FunctionText> | undefined;

/** All of them, by their names. */
export function functionTexts(): ReadonlyMap<string, FunctionText> {
  known ??= new Map(
    [...helmFunctions()].map(([name, { signature }]) => [
      name,
      { name, signature: `${name} ${signature}`, text: sentence(name) },
    ]),
  );
  return known;
}

/** `mustToJson` does the same as `toJson`, and `date_modify` is another name of `dateModify`. */
function sentence(name: string): string {
  const own = sentences.get(name);
  if (own !== undefined) return own;
  const plain = name.replace(/^must_?/, '').replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  const same = sentences.get(`${plain.charAt(0).toLowerCase()}${plain.slice(1)}`) ?? '';
  return name.startsWith('must') && same !== '' ? `${same} It fails where that is not possible.` : same;
}

/** As Markdown; undefined of what is no function. */
export function functionText(name: string): string | undefined {
  const found = functionTexts().get(name);
  return found && `\`\`\`go\n${found.signature}\n\`\`\`\n\n${found.text}`;
}
