/** `--fix`: saved lists are written anew with their fixes; for all else the exact changes are told. */
import type { CheckedServer } from '../check/check-report.ts';
import { fixSaved } from '../check/fix/fix-saved.ts';
import { count, describeFix, describeTool } from '../check/report/words.ts';
import type { Listing } from '../check/sources/listing.ts';
import { showText } from '../gate/approve/show-text.ts';
import { CliError } from './cli-error.ts';

/** Gives what is to be told. */
export async function fixListings(
  listings: readonly Listing[],
  servers: readonly CheckedServer[],
): Promise<string> {
  const lines: string[] = [];
  for (const { name, origin, file } of listings) {
    const findings = servers.find((server) => server.name === name)?.findings ?? [];
    const fixable = findings.filter(({ fix }) => fix !== undefined);
    if (fixable.length === 0) lines.push(`${showText(name)}: there is nothing to fix for certain`);
    else if (origin === 'saved' && file !== undefined) {
      const { applied, left } = await fixSaved(file.path, findings).catch(fail);
      lines.push(
        `${file.path}: ${count(applied.length, 'fix').replace('fixs', 'fixes')} applied, ${left.length} left`,
      );
    } else {
      // Hints of the kit follow from the effect; no edit of a text can tell which fact was meant.
      const where = origin === 'project' ? 'declaration of ' : '';
      lines.push(
        ...findings.flatMap((finding) =>
          finding.fix === undefined
            ? []
            : [`${showText(name)}: ${where}${describeTool(finding)}: ${describeFix(finding.fix)}`],
        ),
      );
    }
  }
  return lines.map((line) => `${line}\n`).join('');
}

function fail(error: unknown): never {
  throw new CliError(error instanceof Error ? error.message : 'the file cannot be written');
}
