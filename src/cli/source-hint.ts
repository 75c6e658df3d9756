/** What somebody most likely meant who wrote the command of a server so that our own options and its words mix. */
import type { Command, CommanderError, Option } from 'commander';

/** Undefined where the mistake is another one. `args` are the words after the name of the program. */
export function toSourceHint(
  program: Command,
  args: readonly string[],
  { code, message }: CommanderError,
): string | undefined {
  const end = args.indexOf('--');
  const own = end === -1 ? args : args.slice(0, end);
  const [command, words] = findCommand(program, own);
  if (!command.registeredArguments.some((argument) => argument.variadic)) return undefined;
  if (code === 'commander.unknownOption') {
    const [, odd = ''] = /'([^']+)'/.exec(message) ?? [];
    const at = words.findIndex((word) => word === odd || word.startsWith(`${odd}=`));
    return hasOperand(command, words.slice(0, Math.max(at, 0)))
      ? 'put -- before the command of the server; what follows it is left to the server'
      : undefined;
  }
  const greedy = command.options.find(
    (option) => option.variadic && words.some((word) => isFlag(option, word)),
  );
  return code === 'commander.missingArgument' && greedy !== undefined
    ? `${greedy.long ?? greedy.flags} takes the words after it as its own; options go before the source, and -- between them`
    : undefined;
}

function findCommand(
  program: Command,
  args: readonly string[],
): readonly [Command, readonly string[]] {
  const [name, ...rest] = args;
  const found = program.commands.find((command) => command.name() === name);
  return found === undefined ? [program, args] : findCommand(found, rest);
}

/** A word that is neither an option nor the value of one. */
function hasOperand(command: Command, words: readonly string[]): boolean {
  return words.some((word, at) => {
    const before = command.options.find((option) => isFlag(option, words[at - 1]));
    const isValue = before !== undefined && (before.required || before.optional);
    return !word.startsWith('-') && !isValue;
  });
}

function isFlag({ short, long }: Option, word: string | undefined): boolean {
  return word !== undefined && (word === short || word === long);
}
