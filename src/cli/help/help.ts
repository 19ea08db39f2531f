import { type Command, Help, type Option } from 'commander';
import { fullName, pathOf } from '../flags/arguments.ts';
import { programOf } from '../flags/argv.ts';
import { FlagOption } from '../flags/flag-option.ts';
import { helmColors } from '../output/helm-colors.ts';
import type { GlobalFlags, Settings } from '../settings.ts';
import type { Io } from '../terminal/io.ts';
import { environmentVariables } from './environment.ts';
import { foldedHeadings, isAddedFlag, optionGroup, optionHeadings } from './option-groups.ts';
import { type CommandText, commandTexts } from './texts.ts';

const widest = 120;
const withoutTerminal = 80;
/** Longer terms stand on a line of their own, above their descriptions. */
const widestTerm = 32;
/** Below it, descriptions go under their terms. */
const narrowTerminal = 64;
/** On a terminal, commands with more options than this name those of the folded groups alone. */
const mostDescribed = 40;

/** Where help is printed, and whether in colours. */
interface HelpContext {
  readonly io: Io;
  settings(flags: GlobalFlags): Settings;
}

/** Prints the help of a command, or of the program, wrapped at the width of the terminal. */
export function writeHelp(command: Command, context: HelpContext): void {
  write((help) => help.formatHelp(command), context);
}

/** `tshelm options`: the options that every command takes. */
export function writeGlobalOptions(command: Command, context: HelpContext): void {
  write((help) => help.globalOptions(programOf(command)), context);
}

function write(textOf: (help: CommandHelp) => string, { io, settings }: HelpContext): void {
  const { header, kind } = helmColors(settings({}), io);
  const width = Math.min(io.stdout.columns ?? withoutTerminal, widest);
  io.stdout.write(`${textOf(new CommandHelp(width, header, io.stdout.isTerminal))}\n`, kind);
}

/** A heading with what is under it. */
type Section = readonly [heading: string, text: string];

/** What a command does, its subcommands, its options in groups, examples, and where to read on. */
class CommandHelp extends Help {
  override readonly minWidthToWrap = 16;
  override readonly helpWidth: number;
  private readonly header: (text: string) => string;
  private readonly mayFold: boolean;

  constructor(helpWidth: number, header: (text: string) => string, mayFold: boolean) {
    super();
    this.helpWidth = helpWidth;
    this.header = header;
    this.mayFold = mayFold;
  }

  override formatHelp(command: Command): string {
    const text = commandTexts[pathOf(command)];
    const about = text === undefined ? command.description() : text.about;
    return [
      this.boxWrap(about, this.helpWidth),
      `${this.header('Usage:')} ${usageOf(command)}`,
      ...(command.aliases().length === 0 ? [] : [`${this.header('Aliases:')} ${command.aliases().join(', ')}`]),
      ...this.commandSections(command).map(this.section),
      ...this.optionSections(command).map(this.section),
      ...(text === undefined ? [] : [this.section(['Examples', this.exampleLines(text, command)])]),
      this.closing(command, text),
    ].join('\n\n');
  }

  globalOptions(program: Command): string {
    const options = [...visibleFlags(program), helpOption];
    return [
      `The options that every command of ${program.name()} takes, anywhere on the line.`,
      this.section(['Options', this.optionLines('', options)]),
      ...(options.some(({ name }) => isAddedFlag('', name)) ? [legend] : []),
      this.section(['Environment', this.environmentLines()]),
    ].join('\n\n');
  }

  private environmentLines(): string {
    const rows = Object.entries(environmentVariables);
    const width = this.termWidth(rows.map(([name]) => name));
    return rows.map(([name, description]) => this.itemLines(`  ${name}`, description, width)).join('\n');
  }

  private readonly section = ([heading, text]: Section): string => `${this.header(`${heading}:`)}\n${text}`;

  private commandSections(command: Command): Section[] {
    const width = this.termWidth(command.commands.map((one) => one.name()));
    const shown = this.visibleCommands(command);
    const sections = new Map<string, string[]>();
    for (const one of shown) {
      const heading = one.helpGroup() || 'Commands';
      const lines = sections.get(heading) ?? [];
      lines.push(this.itemLines(`  ${one.name()}`, one.description(), width));
      sections.set(heading, lines);
    }
    return [...sections].map(([heading, lines]) => [heading, lines.join('\n')]);
  }

  private optionSections(command: Command): Section[] {
    if (command.parent === null) return [];
    const options = visibleFlags(command);
    const isFolded = this.folds(options);
    return optionHeadings.flatMap((heading): Section[] => {
      const own = options.filter(({ name }) => optionGroup(name) === heading);
      if (own.length === 0) return [];
      const lines =
        isFolded && foldedHeadings.has(heading) ? this.namesOf(own) : this.optionLines(pathOf(command), own);
      return [[heading, lines]];
    });
  }

  private readonly folds = (flags: readonly VisibleFlag[]): boolean => this.mayFold && flags.length > mostDescribed;

  private namesOf(flags: readonly VisibleFlag[]): string {
    const names = flags.map(({ name }) => `--${name}`).join(', ');
    return `  ${this.boxWrap(names, this.helpWidth - 2).replaceAll('\n', '\n  ')}`;
  }

  private optionLines(path: string, flags: readonly VisibleFlag[]): string {
    const width = this.termWidth(flags.map(({ term }) => term));
    const lines = flags.map(({ name, term, description }) =>
      this.itemLines(`${isAddedFlag(path, name) ? '+' : ' '} ${term}`, description, width),
    );
    return lines.join('\n');
  }

  /** Two spaces or a mark stand before a term, and two spaces behind it. */
  private termWidth(terms: readonly string[]): number {
    const fitting = terms.map((term) => term.length).filter((length) => length <= widestTerm);
    return this.helpWidth < narrowTerminal ? 0 : Math.max(0, ...fitting) + 4;
  }

  private itemLines(term: string, description: string, termWidth: number): string {
    const indent = termWidth === 0 ? 8 : termWidth;
    const text = this.boxWrap(description, this.helpWidth - indent).replaceAll('\n', `\n${' '.repeat(indent)}`);
    if (text === '') return term;
    return term.length + 2 > termWidth ? `${term}\n${' '.repeat(indent)}${text}` : `${term.padEnd(indent)}${text}`;
  }

  /** With the name by which the program was called; a comment that does not fit behind its command is above it. */
  private exampleLines({ examples }: CommandText, command: Command): string {
    const lines = examples.flatMap((example) => {
      const line = example.replaceAll('tshelm', programOf(command).name());
      const [words = '', comment] = line.split(' # ');
      return comment !== undefined && line.length + 2 > this.helpWidth ? [`# ${comment}`, words.trimEnd()] : [line];
    });
    return lines.map((line) => `  ${line}`).join('\n');
  }

  private closing(command: Command, text: CommandText | undefined): string {
    const program = programOf(command).name();
    const flags = command.parent === null ? [] : visibleFlags(command);
    const lines = [
      ...(flags.some(({ name }) => isAddedFlag(pathOf(command), name)) ? [legend] : []),
      ...(this.folds(flags) ? [`Every option described: ${fullName(command)} --help | less`] : []),
      ...(command.commands.length === 0 ? [] : [`Help for a command: ${fullName(command)} COMMAND --help`]),
      `Options and variables of every command (-n, --sandbox …): ${program} options`,
      ...(text === undefined ? [] : [`More: ${program} explain ${text.more.replace(/^docs\/|\.md/g, '')}`]),
    ];
    return lines.map((line) => this.boxWrap(line, this.helpWidth)).join('\n');
  }
}

const helpOption: VisibleFlag = { name: 'help', term: '-h, --help', description: 'help for a command' };

const legend = '+ marks the options that Helm does not have.';

interface VisibleFlag {
  readonly name: string;
  readonly term: string;
  readonly description: string;
}

const visibleFlags = (command: Command): VisibleFlag[] =>
  command.options
    .filter((option): option is FlagOption => option instanceof FlagOption && !option.hidden)
    .map((option) => ({
      name: (option.long ?? '').slice(2),
      term: termOf(option),
      description: descriptionOf(option),
    }));

const termOf = ({ short, term }: FlagOption): string => `${short === undefined ? '    ' : `${short}, `}${term}`;

function descriptionOf({ description, defaultValue }: Option): string {
  const isShown = (typeof defaultValue === 'string' && defaultValue !== '') || typeof defaultValue === 'number';
  return description.includes('(default') || !isShown ? description : `${description} (default ${defaultValue})`;
}

const usageOf = (command: Command): string =>
  command.parent === null ? `${command.name()} COMMAND [flags]` : `${fullName(command)} ${command.usage()}`;
