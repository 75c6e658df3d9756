/** `plimsoll unwrap`: removes the gate from a host's configuration and restores the original. */
import { Command } from 'commander';
import type { Unwrapping } from '../gate/hosts/wrap-file.ts';
import { listWrapped, unwrapFile } from '../gate/hosts/wrap-file.ts';
import { CliError } from './cli-error.ts';
import { visible } from './wrap-report.ts';

const EXAMPLES = `
A file that has not changed since plimsoll wrap is restored byte for byte. In one that has changed,
each server is unwrapped in place, and the changes are kept.

Examples:
  plimsoll unwrap                              every file that was wrapped
  plimsoll unwrap .mcp.json
  plimsoll unwrap ~/.cursor/mcp.json --json`;

export function unwrapCommand(): Command {
  return new Command('unwrap')
    .description("remove the gate from a host's configuration")
    .argument('[file...]', "the host's configuration (default: every file that was wrapped)")
    .option('--yes', 'write without asking, as unwrap always does')
    .option('--json', 'print JSON')
    .addHelpText('after', EXAMPLES)
    .action(run);
}

async function run(files: readonly string[], { json }: { readonly json?: true }): Promise<void> {
  const wanted = files.length > 0 ? files : wrappedFiles();
  const rows: object[] = [];
  for (const file of wanted) {
    const end = await unwrapFile(file);
    if ('faults' in end) throw new CliError(`${file}: ${end.faults.join('; ')}`);
    const { kind, servers } = end;
    rows.push({ file, kind, servers });
    const head = wanted.length > 1 || files.length === 0 ? visible(`${file}: `) : '';
    if (json !== true) process.stdout.write(`${head}${toReport(end)}`);
  }
  if (json === true)
    process.stdout.write(`${JSON.stringify(files.length === 1 ? rows[0] : { files: rows })}\n`);
  else if (wanted.length === 0) process.stdout.write('nothing is wrapped\n');
}

function wrappedFiles(): readonly string[] {
  return listWrapped()
    .filter(({ state }) => state !== 'gone')
    .map(({ file }) => file);
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
