/** `plimsoll unwrap`: removes the gate from a host's configuration and restores the original. */
import { Command } from 'commander';
import type { Unwrapping } from '../gate/hosts/wrap-file.ts';
import { unwrapFile } from '../gate/hosts/wrap-file.ts';
import { CliError } from './cli-error.ts';

const EXAMPLES = `
A file that has not changed since plimsoll wrap is restored byte for byte. In one that has changed,
each server is unwrapped in place, and the changes are kept.

Examples:
  plimsoll unwrap .mcp.json
  plimsoll unwrap ~/.cursor/mcp.json --json`;

export function unwrapCommand(): Command {
  return new Command('unwrap')
    .description("remove the gate from a host's configuration")
    .argument('<file>', "the host's configuration")
    .option('--yes', 'write without asking, as unwrap always does')
    .option('--json', 'print JSON')
    .addHelpText('after', EXAMPLES)
    .action(run);
}

async function run(file: string, { json }: { readonly json?: true }): Promise<void> {
  const end = await unwrapFile(file);
  if ('faults' in end) throw new CliError(`${file}: ${end.faults.join('; ')}`);
  const { kind, servers } = end;
  process.stdout.write(json ? `${JSON.stringify({ file, kind, servers })}\n` : toReport(end));
}

function toReport({ kind, servers }: Unwrapping): string {
  if (kind === 'restored') return 'restored byte for byte\n';
  if (servers.length === 0) return 'no server in the file is behind the gate\n';
  const lines = servers.map(({ name, exact }) => {
    const how = exact ? 'restored' : 'changed since; only the gate was removed';
    return `${name.replaceAll(/\p{C}/gu, '\u{fffd}')}: ${how}\n`;
  });
  return ['the file has changed since it was wrapped; unwrapped in place\n', ...lines].join('');
}
