import { Argument, type Command, Command as Program } from 'commander';
import { usageFailure } from '../failure.js';
import { withExamples } from './example.js';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

/** Prints a script that completes commands and options. */
export const completionCommand = (): Command =>
  withExamples(
    new Program('completion')
      .description('Print a script that completes commands and options in your shell.')
      .addArgument(new Argument('<shell>', 'your shell').choices(SHELLS))
      .action(function print(this: Command, shell: Shell) {
        if (this.optsWithGlobals()['json'] === true) throw usageFailure('A shell script cannot be printed as JSON.');
        if (this.parent !== null) this.configureOutput().writeOut?.(completionScript(shell, this.parent));
      }),
    'pierhead completion bash > ~/.local/share/bash-completion/completions/pierhead',
    'pierhead completion zsh > "${fpath[1]}/_pierhead"',
    'pierhead completion fish > ~/.config/fish/completions/pierhead.fish',
  );

interface Word {
  readonly word: string;
  readonly description: string;
}

const commandsOf = (program: Command): Word[] =>
  program
    .createHelp()
    .visibleCommands(program)
    .map((command) => ({ word: command.name(), description: command.description() }));

const optionsOf = (command: Command): Word[] =>
  command
    .createHelp()
    .visibleOptions(command)
    .flatMap(({ long, description }) => (long === undefined || long === null ? [] : [{ word: long, description }]));

/** Words that can follow a command. */
interface Following {
  readonly name: string;
  readonly options: readonly Word[];
  /** Or the words that its argument can be. */
  readonly subcommands: readonly Word[];
}

/** Words that can follow each command: its subcommands, its own options with those of its subcommands, and those of the program. */
const perCommand = (program: Command): Following[] =>
  program.commands.map((command) => ({
    name: command.name(),
    options: distinct([command, ...command.commands, program].flatMap(optionsOf)),
    subcommands: command.commands.length === 0 ? choicesOf(command) : commandsOf(command),
  }));

/** Values of its first argument, if that is one of several words. */
const choicesOf = ({ registeredArguments: [first] }: Command): Word[] =>
  (first?.argChoices ?? []).map((word) => ({ word, description: first?.description ?? '' }));

const distinct = (all: readonly Word[]): Word[] => [...new Map(all.map((each) => [each.word, each])).values()];

/** A script for a shell. Files are completed where an option or argument is not. */
export function completionScript(shell: Shell, program: Command): string {
  return { bash, zsh, fish }[shell](program);
}

const words = (all: readonly Word[]): string => [...new Set(all.map(({ word }) => word))].join(' ');
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

function bash(program: Command): string {
  const all = perCommand(program);
  const groups = all.filter(({ subcommands }) => subcommands.length > 0);
  const names = groups.map(({ name, subcommands }) => `    2,${name}) names=${quoted(words(subcommands))} ;;`);
  const cases = all.map(({ name, options }) => `    ${name}) words=${quoted(words(options))} ;;`);
  return `_pierhead() {
  local names words current="\${COMP_WORDS[COMP_CWORD]}"
  case "\${COMP_CWORD},\${COMP_WORDS[1]}" in
    1,*) names=${quoted(words(commandsOf(program)))} words=${quoted(words(optionsOf(program)))} ;;
${names.join('\n')}
  esac
  [[ $COMP_CWORD -gt 1 ]] && case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac
  [[ $current != -* ]] && words=$names
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _pierhead pierhead
`;
}

function zsh(program: Command): string {
  const described = (all: readonly Word[]): string =>
    all.map(({ word, description }) => quoted(`${word}:${description.replaceAll(':', '\\:')}`)).join(' ');
  const all = perCommand(program);
  const groups = all
    .filter(({ subcommands }) => subcommands.length > 0)
    .map(({ name, subcommands }) => `    ${name}) choices=(${described(subcommands)}) ;;`);
  const cases = all.map(({ name, options }) => `    ${name}) choices=(${described(options)}) ;;`);
  return `#compdef pierhead
_pierhead() {
  local -a choices
  if (( CURRENT == 2 )); then
    choices=(${described(commandsOf(program))})
    _describe command choices
    return
  fi
  if [[ $words[CURRENT] != -* ]]; then
    (( CURRENT == 3 )) && case $words[2] in
${groups.join('\n')}
    esac
    (( $#choices )) && _describe command choices || _files
    return
  fi
  case $words[2] in
${cases.join('\n')}
  esac
  _describe -o option choices
}
_pierhead "$@"
`;
}

function fish(program: Command): string {
  const none = '__fish_use_subcommand';
  const commands = commandsOf(program).map(
    ({ word, description }) => `complete -c pierhead -f -n ${none} -a ${word} -d ${quoted(description)}`,
  );
  const all = perCommand(program);
  const subcommands = all.flatMap((command) =>
    command.subcommands.map(
      ({ word, description }) =>
        `complete -c pierhead -f -n '__fish_seen_subcommand_from ${command.name}; and not __fish_seen_subcommand_from ${words(command.subcommands)}' -a ${word} -d ${quoted(description)}`,
    ),
  );
  const options = all.flatMap((command) =>
    command.options.map(
      ({ word, description }) =>
        `complete -c pierhead -n '__fish_seen_subcommand_from ${command.name}' -l ${word.slice(2)} -d ${quoted(description)}`,
    ),
  );
  return `${[...commands, ...subcommands, ...options].join('\n')}\n`;
}
