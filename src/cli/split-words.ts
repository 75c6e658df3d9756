/** Tells the words before a `--` from the command behind it, which the parser puts into one list. */
import type { Command } from 'commander';
import type { SourceWords } from '../check/sources/source.ts';

export function splitWords(command: Command): SourceWords {
  let root = command;
  while (root.parent !== null) root = root.parent;
  // As typed; the parser of this version keeps it on the command that it was given to.
  const { rawArgs = [] } = root as { readonly rawArgs?: readonly string[] };
  const mark = rawArgs.indexOf('--');
  const behind = mark === -1 ? 0 : rawArgs.length - mark - 1;
  const split = command.args.length - behind;
  return { words: command.args.slice(0, split), command: command.args.slice(split) };
}
