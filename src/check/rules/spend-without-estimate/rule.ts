/** Finds spends whose price nobody can know before the call. */
import { findEstimate } from '../../../effect/infer/find-estimate.ts';
import { readDeclaredEffect } from '../../../effect/infer/read-declared-effect.ts';
import { parametersOf } from '../../tool-schema.ts';
import { spends } from '../../tool-inference.ts';
import { wordSet } from '../../tool-texts.ts';
import type { Rule } from '../../rule.ts';
import type { ServerSubject, ToolSubject } from '../../subject.ts';
import { toSingular, toWords } from '../../../effect/infer/to-words.ts';

/** The caller states the sum, or the most that it may be. */
const SUM =
  /(?:^|_)(?:amount|price|max_price|budget|sum|total|limit_price|max_credits|max_cost|confirm_cost_id|quote_id|estimate_id|quantity|qty)$/;
/** Money that is returned, or whose amount was already agreed. */
const AGREED = wordSet(
  'refund chargeback reimburse reimbursement payout invoice payment pay settle',
);
const PRICED = wordSet(
  'estimate estimated estimator quote price pricing cost fee preview simulate simulation prepare rate calculate',
);
const PRICING = new WeakMap<ServerSubject, readonly unknown[]>();

export const rule: Rule = {
  id: 'spend-without-estimate',
  category: 'truth',
  severity: 'info',
  summary: 'A tool spends money, and nothing shows the price beforehand.',
  cost: 'The approver cannot see how much it costs.',
  profiles: { geopera: 'error', strict: 'warning' },
  codes: { 'spend-without-estimate': 'it spends a sum that neither an argument nor a tool shows' },
  checkTool(tool, server) {
    if (!spends(tool) || parametersOf(tool).some(({ key }) => SUM.test(key))) return [];
    if (toWords(tool.name).some((word) => AGREED.has(toSingular(word)))) return [];
    if (readDeclaredEffect(tool.raw)?.money?.estimate !== undefined) return [];
    if (findEstimate([...pricingOf(server), tool.raw], tool.raw) !== undefined) return [];
    const message =
      'It spends, and neither an argument nor another tool shows how much beforehand.';
    return [{ code: 'spend-without-estimate', pointer: tool.pointer, message }];
  },
};

/** Only tools that can estimate a price: a list may be long and have many spends. */
function pricingOf(server: ServerSubject): readonly unknown[] {
  let pricing = PRICING.get(server);
  if (pricing === undefined) {
    pricing = server.tools.filter(showsPrice).map(({ raw }) => raw);
    PRICING.set(server, pricing);
  }
  return pricing;
}

function showsPrice({ name }: ToolSubject): boolean {
  return toWords(name).some((word) => PRICED.has(toSingular(word)));
}
