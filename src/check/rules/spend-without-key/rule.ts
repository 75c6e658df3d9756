/** Finds spends whose retries cannot be recognized as such. */
import { findKeySlot } from '../../../gate/tools/key-slot.ts';
import { leadVerb, movesMoney, inferFromText, spends } from '../../tool-inference.ts';
import { memberOf } from '../../tool-schema.ts';
import { wordSet } from '../../tool-texts.ts';
import type { Rule } from '../../rule.ts';

/** To set a plan or a size twice is to set it once. */
const SETTLES = wordSet('update edit modify set change upgrade downgrade');

export const rule: Rule = {
  id: 'spend-without-key',
  category: 'truth',
  severity: 'warning',
  summary: 'A tool spends money and takes no idempotency key.',
  cost: 'After a lost answer a retry may pay twice.',
  profiles: { closient: 'error', geopera: 'error', strict: 'error', nextcloud: 'info' },
  codes: { 'spend-without-key': 'it spends, and has no parameter for an idempotency key' },
  checkTool(tool) {
    if (!spends(tool) || inferFromText(tool).effect.repeat.kind === 'key') return [];
    if (SETTLES.has(leadVerb(tool.name) ?? '') && !movesMoney(tool)) return [];
    const schema = memberOf(tool.raw, 'inputSchema');
    if (findKeySlot({ inputSchema: schema, _meta: memberOf(tool.raw, '_meta') })) return [];
    const pointer = `${tool.pointer}${schema === undefined ? '' : '/inputSchema'}`;
    const message = 'It spends, and takes no idempotency key, so a retry may pay twice.';
    return [{ code: 'spend-without-key', pointer, message }];
  },
};
