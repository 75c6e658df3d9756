/** Plain verbs that take something down, throw away what is there, or let another do what it likes. */
import * as n from './nouns.ts';
import type { ObjectRule } from './object-rule.ts';
import { rule } from './object-rule.ts';

/** Others depend on it while it runs. */
const RUNNING: n.Words = new Set([
  ...n.BILLED,
  ...n.words('host node database db service site website cluster router network app application'),
]);

export const TAKEN_DOWN: readonly ObjectRule[] = [
  rule('cancel', 'turn switch power', 'off', { also: RUNNING }),
  rule('cancel', 'take bring set', 'offline'),
  rule('cancel', 'take bring', 'down', { last: n.words('down') }),
  rule('cancel', 'scale', 'zero 0', { last: n.words('zero 0') }),
  rule('delete', 'rebuild', n.BILLED, { isHead: true }),
  rule('delete', 'mark flag', 'deleted deletion', { last: n.words('deleted deletion') }),
  rule('delete', 'collect', 'garbage'),
  // What was changed since is gone.
  rule('delete', 'restore', 'git worktree', { without: n.words('branch') }),
  rule('delete', 'revert', 'file change worktree workspace', { isHead: true }),
  rule('delete', 'revert', 'all', { last: n.words('all') }),
  rule('spend', 'ask', 'agent subagent', { isHead: true, without: n.words('question doc docs') }),
  rule('delete', 'load', 'plugin extension addon', { isHead: true }),
];
