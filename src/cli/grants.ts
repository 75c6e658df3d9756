/** `plimsoll grants`: what people have approved beyond one call, and taking it back. */
import { userInfo } from 'node:os';
import { Command } from 'commander';
import { describeGrant, openGrants } from '../gate/approvals/grants.ts';
import { showText } from '../gate/approvals/show-text.ts';
import type { GrantRow } from '../ledger/tables.ts';
import { CliError } from './cli-error.ts';
import { LEDGER_OPTION, withStore } from './ledger-access.ts';

const LEAST_ID = 6;

const EXAMPLES = `
Examples:
  plimsoll grants
  plimsoll grants --json
  plimsoll grants --revoke 5c1f09aa
  plimsoll grants --revoke all`;

interface GrantFlags {
  readonly ledger?: string;
  readonly json?: true;
  readonly revoke?: string;
}

export function grantsCommand(): Command {
  return new Command('grants')
    .description('list what was approved beyond one call, and revoke it')
    .option(...LEDGER_OPTION)
    .option('--json', 'print JSON')
    .option('--revoke <id>', `at least the first ${LEAST_ID} characters of its id, or "all"`)
    .addHelpText('after', EXAMPLES)
    .action(run);
}

async function run({ ledger, json, revoke }: GrantFlags): Promise<void> {
  await withStore(ledger, async (store) => {
    const grants = openGrants(store);
    const known = await grants.listGrants();
    if (revoke !== undefined) {
      for (const { id } of findGrants(known, revoke)) {
        await grants.revokeGrant(id, { approver: userInfo().username, channel: 'terminal' });
        process.stdout.write(`revoked ${id}\n`);
      }
      return;
    }
    if (json) process.stdout.write(`${JSON.stringify(known.map(toJson), null, 2)}\n`);
    else if (known.length === 0) process.stderr.write('there are no grants\n');
    else process.stdout.write(known.map((grant) => `${toLine(grant)}\n`).join(''));
  });
}

function findGrants(known: readonly GrantRow[], wanted: string): readonly GrantRow[] {
  if (wanted === 'all') return known;
  const prefix = wanted.toLowerCase();
  if (prefix.length < LEAST_ID) {
    throw new CliError(`enter at least ${LEAST_ID} characters of the id of a grant`);
  }
  const found = known.filter(({ id }) => id.startsWith(prefix));
  if (found.length === 1) return found;
  throw new CliError(
    found.length === 0
      ? `no grant has the id ${showText(wanted)}; plimsoll grants lists them`
      : `${showText(wanted)} matches ${found.length} grants; enter more characters`,
  );
}

function toLine(grant: GrantRow): string {
  const { id, server, tool, principal, approver } = grant;
  const what = showText(`${server} ${tool}  for ${principal}`);
  const until = new Date(grant.expires_at).toISOString();
  return `${id.slice(0, 8)}  ${what}  ${describeGrant(grant)}  until ${until}  by ${showText(approver)}`;
}

function toJson(grant: GrantRow): object {
  const { accepted: _, ...shown } = grant;
  return { ...shown, covers: describeGrant(grant) };
}
