/** `plimsoll completion`: a script for the shell that completes commands and options. */
import { Argument, Command } from 'commander';

const EXAMPLES = `
Examples:
  plimsoll completion bash > ~/.local/share/bash-completion/completions/plimsoll
  plimsoll completion zsh > ~/.zsh/completions/_plimsoll          in a folder of $fpath
  plimsoll completion fish > ~/.config/fish/completions/plimsoll.fish`;

type Shell = keyof typeof SCRIPTS;

/** `load` gives the whole command line. */
export function completionCommand(load: () => Promise<Command>): Command {
  return new Command('completion')
    .description('print a script that completes commands and options in your shell')
    .addArgument(new Argument('<shell>', 'your shell').choices(['bash', 'zsh', 'fish']))
    .addHelpText('after', EXAMPLES)
    .action(async (shell: Shell) => {
      process.stdout.write(SCRIPTS[shell](toPlaces(await load())));
    });
}

interface Place {
  /** The commands before it, such as `audit list`; empty at the start. */
  readonly path: string;
  readonly words: readonly string[];
}

function toPlaces(program: Command): readonly Place[] {
  const visit = (command: Command, path: string): readonly Place[] => {
    const { commands, options } = command;
    const words = [
      ...commands.map((each) => each.name()),
      ...options.flatMap(({ long }) => long ?? []),
      '--help',
    ];
    const below = commands.flatMap((each) => visit(each, `${path} ${each.name()}`.trim()));
    return [{ path, words }, ...below];
  };
  return visit(program, '');
}

/** Words that are no command at their place, such as files and values, do not count. */
function toKnown(places: readonly Place[]): string {
  return places.flatMap(({ path }) => (path === '' ? [] : [`'${path}'`])).join('|');
}

function toCases(places: readonly Place[], toBranch: (place: Place) => string): string {
  return places.map((place) => `    '${place.path}') ${toBranch(place)} ;;\n`).join('');
}

const SCRIPTS = Object.freeze({
  bash: (places: readonly Place[]): string => `_plimsoll() {
  local current=\${COMP_WORDS[COMP_CWORD]} place= word choices=
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [ "$word" = -- ] && return
    case "\${place:+$place }$word" in
    ${toKnown(places)}) place=\${place:+$place }$word ;;
    esac
  done
  case $place in
${toCases(places, ({ words }) => `choices='${words.join(' ')}'`)}  esac
  COMPREPLY=($(compgen -W "$choices" -- "$current"))
}
complete -o default -F _plimsoll plimsoll
`,
  zsh: (places: readonly Place[]): string => `#compdef plimsoll
_plimsoll() {
  local place= word
  local -a choices
  for word in \${words[2,CURRENT-1]}; do
    [[ $word == -- ]] && { _files; return }
    case "\${place:+$place }$word" in
    ${toKnown(places)}) place="\${place:+$place }$word" ;;
    esac
  done
  case $place in
${toCases(places, ({ words }) => `choices=(${words.join(' ')})`)}  esac
  compadd -- $choices
  _files
}
compdef _plimsoll plimsoll
`,
  fish: (places: readonly Place[]): string => `function __plimsoll_choices
  set -l place ''
  for word in (commandline -opc)[2..-1]
    set -l next (string trim -- "$place $word")
    switch $next
      case ${toKnown(places).replaceAll('|', ' ')}
        set place $next
    end
  end
  switch $place
${places
  .map(({ path, words }) => `    case '${path}'\n      printf '%s\\n' ${words.join(' ')}\n`)
  .join('')}  end
end
complete -c plimsoll -a '(__plimsoll_choices)'
`,
});
