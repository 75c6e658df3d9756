/**
 * `plimsoll wrap`: puts the gate in front of every server of a host's configuration, after showing the
 * diff.
 */
import { basename } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { Command } from 'commander';
import { toUnifiedDiff } from '../lib/unified-diff.ts';
import type { SkippedEntry } from '../gate/hosts/wrap-config.ts';
import type { WrapPlan } from '../gate/hosts/wrap-file.ts';
import { applyWrap, planWrap } from '../gate/hosts/wrap-file.ts';
import { CliError, CliFailure } from './cli-error.ts';
import { isServerName, collect } from './option-values.ts';

const EXAMPLES = `
Recognizes the configurations of Claude Desktop, Claude Code, Cursor, VS Code and Windsurf. What
is not about servers stays byte for byte. A backup is kept among your own files; plimsoll unwrap restores it.

Examples:
  plimsoll wrap .mcp.json --dry-run
  plimsoll wrap ~/.cursor/mcp.json
  plimsoll wrap .vscode/mcp.json --yes --gate-arg=--policy --gate-arg=policy.yaml`;

interface WrapFlags {
  readonly yes?: true;
  readonly dryRun?: true;
  readonly json?: true;
  readonly gateCommand: string;
  readonly gateArg: readonly string[];
}

const REASONS: Readonly<Record<SkippedEntry['why'], string>> = {
  'already-wrapped': 'it is already behind the gate',
  'no-address': 'it has neither a command nor a URL',
  'odd-args': 'its command or arguments are not text',
  'odd-env': 'its environment is not names and values',
  'odd-headers': 'its headers are not plain text',
  sse: 'it uses the old SSE transport, which the gate does not support',
  'headers-helper': 'its headers come from a helper, which the gate cannot run',
  'url-and-command': 'it has a URL and also members of a command, which would come into force',
  'not-an-object': 'it is not an object',
  'named-twice': 'another server has the same name',
  'member-twice': 'one of its members is there twice',
};

export function wrapCommand(): Command {
  return new Command('wrap')
    .description("put the gate in front of every server of a host's configuration")
    .argument('<file>', "the host's configuration")
    .option('--yes', 'write without asking')
    .option('--dry-run', 'only show what would change')
    .option('--json', 'print JSON')
    .option('--gate-command <command>', 'what starts plimsoll', 'plimsoll')
    .option('--gate-arg <argument>', 'an argument for plimsoll gate; repeatable', collect, [])
    .addHelpText('after', EXAMPLES)
    .action(run);
}

async function run(file: string, flags: WrapFlags): Promise<void> {
  const gate = { command: flags.gateCommand, args: ['gate', ...flags.gateArg] };
  const plan = planWrap(file, gate);
  if ('kind' in plan) throw new CliError(`${file}: ${plan.faults.join('; ')}`);
  const { servers } = plan.result;
  const odd = servers.find(({ name }) => !isServerName(name));
  if (odd !== undefined) {
    throw new CliError(
      `${file}: the gate cannot use ${JSON.stringify(visible(odd.name))} as the name of a server; rename it first`,
    );
  }
  if (flags.json !== true) process.stdout.write(toReport(plan));
  const isWanted =
    servers.length > 0 && flags.dryRun !== true && (flags.yes === true || (await asks(file)));
  const backup = isWanted ? await applyWrap(plan) : undefined;
  if (typeof backup === 'object') throw new CliFailure(`${file}: ${backup.faults.join('; ')}`);
  if (flags.json === true) process.stdout.write(toJson(plan, backup));
  else if (backup !== undefined)
    process.stdout.write(`wrapped ${servers.length}; the original file is in ${backup}\n`);
  else if (servers.length > 0) process.stdout.write('nothing was written\n');
}

async function asks(file: string): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stdout.isTTY)
    throw new CliError(
      'there is no terminal to ask at; pass --yes to write, or --dry-run to preview',
    );
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return /^y(?:es)?$/i.test((await terminal.question(`Change ${file}? [y/N] `)).trim());
  } finally {
    terminal.close();
  }
}

function toReport({ file, before, result }: WrapPlan): string {
  const name = basename(file);
  const diff = toUnifiedDiff(before, result.text, { before: name, after: `${name} (wrapped)` });
  const notes = result.skipped.map(
    ({ path, why }) => `${path.join('.')} is skipped: ${REASONS[why]}\n`,
  );
  const none = result.servers.length === 0 ? ['there is nothing to wrap\n'] : [];
  return visible([diff, ...notes, ...none].join(''));
}

function toJson({ file, result }: WrapPlan, backup: string | undefined): string {
  const { layout, servers, skipped } = result;
  const names = servers.map(({ name, path }) => ({ name, path }));
  const written = backup !== undefined;
  return `${JSON.stringify({ file, layout, written, ...(written && { backup }), wrapped: names, skipped })}\n`;
}

/** A configuration is untrusted text; control characters must not reach the terminal. */
function visible(text: string): string {
  return text.replaceAll(/\r(?=\n)/g, '').replaceAll(/(?![\t\n])\p{C}/gu, '\u{fffd}');
}
