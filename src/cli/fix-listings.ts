/** `--fix`: saved lists are written anew with their certain fixes; for all else the exact changes are told. */
import type { CheckedServer } from '../check/check-report.ts';
import type { Finding } from '../check/finding.ts';
import { fixSaved } from '../check/fix/fix-saved.ts';
import { describeFix, describeTool } from '../check/report/words.ts';
import { RULES } from '../check/rules/index.ts';
import type { Listing } from '../check/sources/listing.ts';
import { showText } from '../gate/approve/show-text.ts';
import { CliError } from './cli-error.ts';

/** Where hint and words speak against each other, either can be the wrong one: a person decides. */
const DISPUTED: ReadonlySet<string> = new Set(
  RULES.filter(({ category }) => category === 'truth').map(({ id }) => id),
);

/** Gives what is to be told. */
export async function fixListings(
  listings: readonly Listing[],
  servers: readonly CheckedServer[],
): Promise<string> {
  const lines: string[] = [];
  for (const listing of listings) {
    const { findings = [] } = servers.find(({ name }) => name === listing.name) ?? {};
    const fixable = findings.filter(({ fix }) => fix !== undefined);
    lines.push(...(await fixListing(listing, fixable)));
  }
  return lines.map((line) => `${line}\n`).join('');
}

async function fixListing(
  { name, origin, file }: Listing,
  findings: readonly Finding[],
): Promise<readonly string[]> {
  const isWritten = origin === 'saved' && file !== undefined;
  const certain = isWritten ? findings.filter(({ rule }) => !DISPUTED.has(rule)) : [];
  const told = findings.filter((finding) => !certain.includes(finding));
  const applied = isWritten ? await fixSaved(file.path, certain).catch(fail) : undefined;
  const left = told.length + (applied?.left.length ?? 0);
  return [
    applied === undefined
      ? `${showText(name)}: changes for you to make: ${left}`
      : `${showText(file?.path ?? '')}: changes made: ${applied.applied.length}, left to you: ${left}`,
    ...told.map((finding) => `  ${describeChange(finding, origin)}`),
    ...(applied?.left ?? []).map((fix) => `  ${describeFix(fix)}`),
  ];
}

/** Hints of the kit follow from the effect; no edit of a text can tell which fact was meant. */
function describeChange(finding: Finding, origin: Listing['origin']): string {
  const where = origin === 'project' ? 'declaration of ' : '';
  const change = finding.fix === undefined ? '' : describeFix(finding.fix);
  return `${where}${describeTool(finding)}: ${change} (${finding.code})`;
}

function fail(error: unknown): never {
  throw new CliError(error instanceof Error ? error.message : 'the file cannot be written');
}
