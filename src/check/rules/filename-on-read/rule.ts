/** Finds reads that can write a file. */
import { findOutput } from '../../../effect/infer/read-schema.ts';
import { showText } from '../../../gate/approvals/show-text.ts';
import { parameterPointer, parametersOf } from '../../tool-schema.ts';
import { inferFromText } from '../../tool-inference.ts';
import { saidHint } from '../../tool-hints.ts';
import type { Rule } from '../../rule.ts';
import { quote } from '../../../gate/tools/drift-change.ts';

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
    if (inferFromText(tool).reasons[0]?.code !== 'writes-file') return [];
    const place = findOutput({ all: parametersOf(tool) });
    if (place === undefined) return [];
    const pointer = parameterPointer(tool, place);
    const message = `It reads, but ${quote(showText(place.name))} names a file that it writes.`;
    return [{ code: 'filename-on-read', pointer, message }];
  },
};
