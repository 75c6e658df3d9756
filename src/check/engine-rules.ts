/** Rules that the engine keeps itself, about the check and not about a server: they have no check of their own. */
import type { Rule } from './rule.ts';

export const RULE_FAILED: Rule = {
  id: 'rule-failed',
  category: 'security',
  severity: 'error',
  summary: 'A rule could not look at this server.',
  cost: 'What the rule would have found stays unknown.',
  codes: { 'rule-failed': 'a rule threw; this is a fault of Plimsoll, worth a report' },
};

export const IGNORE_EXPIRED: Rule = {
  id: 'ignore-expired',
  category: 'security',
  severity: 'warning',
  summary: 'An ignore in the configuration is past its day.',
  cost: 'What was let pass for a while is found again.',
  codes: { 'ignore-expired': 'renew the day with a reason, or mend what was ignored' },
};

export const ENGINE_RULES: readonly Rule[] = Object.freeze([RULE_FAILED, IGNORE_EXPIRED]);
