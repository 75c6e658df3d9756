/** Finds tools that require a matching version and promise that a repeat is harmless. */
import { showText } from '../../../gate/approvals/show-text.ts';
import { hintDraft, saidHint } from '../../tool-hints.ts';
import { parametersOf } from '../../tool-schema.ts';
import { inferFromText } from '../../tool-inference.ts';
import type { Rule } from '../../rule.ts';
import { quote } from '../../../gate/tools/drift-change.ts';

/** Narrower than the gate's version parameters: a `sha` or `rev` may just select what to read. */
const VERSION =
  /^(?:etag|e_tag|if_match|if_unmodified_since|expected_(?:version|revision|etag|sha)|resource_version|version_token|lock_version|base_(?:version|revision)|version|revision)$/;

export const rule: Rule = {
  id: 'version-against-idempotent',
  category: 'truth',
  severity: 'warning',
  summary: 'idempotentHint is true on a write that takes a version to match.',
  cost: 'A retry carries the old version and is refused; the client takes a successful write for a failed one.',
  codes: {
    'version-against-idempotent': 'idempotentHint true with an etag or version parameter',
  },
  checkTool(tool) {
    if (saidHint(tool, 'idempotentHint') !== true) return [];
    const { act, repeat } = inferFromText(tool).effect;
    if (act === 'read' || repeat.kind === 'key') return [];
    const version = parametersOf(tool).find(({ key, top }) => top && VERSION.test(key));
    // A bare `version` may be content; one to match is required or described as such.
    if (version === undefined || (PLAIN.test(version.key) && repeat.kind !== 'version')) return [];
    const name = quote(showText(version.name));
    const message = `idempotentHint is true, but ${name} must match: a second identical call is refused.`;
    const fault = { code: 'version-against-idempotent', hint: 'idempotentHint' } as const;
    return [hintDraft(tool, { ...fault, message, value: false })];
  },
};
const PLAIN = /^(?:version|revision)$/;
