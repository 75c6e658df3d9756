/** The command line of a gate under test: its own ledger file, and the policy of the runs. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SuiteContext } from './suite.ts';

const POLICY = `rules:
  - name: invoices-are-paid
    match: { tool: pay_invoice }
    then: allow
  - name: notes-are-written
    match: { tool: update_note }
    then: allow
`;

export interface GateCommand {
  readonly args: readonly string[];
  readonly ledger: string;
}

export const STDIO_SERVER: string = fileURLToPath(
  new URL('./servers/stdio-server.ts', import.meta.url),
);
export const HTTP_SERVER: string = fileURLToPath(
  new URL('./servers/http-server.ts', import.meta.url),
);
export const LIST_SERVER: string = fileURLToPath(
  new URL('./servers/list-server.ts', import.meta.url),
);
export const BYTE_PIPE: string = fileURLToPath(new URL('./byte-pipe.ts', import.meta.url));

/** The rest names the server: `--url …` or `-- command`. */
export function gateCommand(
  { gate, folder, options: { profile } }: SuiteContext,
  name: string,
  rest: readonly string[],
): GateCommand {
  const ledger = join(folder, `${name}.sqlite`);
  const policy = join(folder, 'policy.yaml');
  writeFileSync(policy, POLICY);
  const node = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${join(profile, name)}`];
  const args = [...node, gate, 'gate', '--ledger', `sqlite:${ledger}`, '--policy', policy, ...rest];
  return { args, ledger };
}
