/** Finds reads that can write a file. */
import type { Parameter } from '../../../effect/infer/read-parameters.ts';
import { TIERS } from '../../../effect/tier.ts';
import { showText } from '../../../gate/approvals/show-text.ts';
import { parameterPointer, parametersOf } from '../../tool-schema.ts';
import { inferFromText } from '../../tool-inference.ts';
import { saidHint } from '../../tool-hints.ts';
import type { Rule } from '../../rule.ts';
import { quote } from '../../../gate/tools/drift-change.ts';

/** Names of output locations. */
const OUTPUT =
  /^(?:output_?(?:path|file|file_?path|file_?name|dir|directory|folder)|save_?(?:path|to|as|to_(?:file|path|disk)|dir|directory)|download_?(?:path|dir|directory|to|folder)|(?:request|response|result|screenshot|snapshot|body)_(?:file|path|file_?path|file_?name)|destination_(?:path|file|folder)|dest_path|target_path|write_to|export_path)$/;
/** Names that only say that it is a file; the description must say that it is written. */
const PLACE =
  /^(?:path|file|file_?path|filename|file_?name|directory|folder|dest|destination|location)$/;
const WRITES =
  /\b(?:sav(?:e|ed|es|ing)|writ(?:e|es|ten|ing)|stor(?:e|ed|es|ing)|dump(?:ed|s)?|download(?:ed|s)? to|output (?:file|path)|export(?:ed|s)? to)\b/i;
const READS =
  /\b(?:to (?:read|load|open|import|parse|analy[sz]e)|read from|previously saved|existing file|was (?:saved|written|stored)|is stored|are stored|has been)\b/i;

export const rule: Rule = {
  id: 'filename-on-read',
  category: 'truth',
  severity: 'warning',
  summary: 'A tool that reads takes the name of a file to write.',
  cost: 'Hosts run reads without asking, so any file that the process may write can be overwritten unnoticed.',
  profiles: { 'openai-apps': 'error', strict: 'error' },
  codes: { 'filename-on-read': 'a read that writes to a file named by the caller' },
  checkTool(tool) {
    if (saidHint(tool, 'readOnlyHint') === false) return [];
    if (!TIERS[inferFromText(tool).effect.tier].readsOnly) return [];
    const place = parametersOf(tool).find((one) => one.top && isWritten(one));
    if (place === undefined) return [];
    const pointer = parameterPointer(tool, place);
    const message = `It reads, but ${quote(showText(place.name))} names a file that it writes.`;
    return [{ code: 'filename-on-read', pointer, message }];
  },
};

function isWritten({ key, description }: Parameter): boolean {
  if (READS.test(description)) return false;
  return OUTPUT.test(key) || (PLACE.test(key) && WRITES.test(description));
}
