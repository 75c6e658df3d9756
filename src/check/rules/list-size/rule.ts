/**
 * Lists that take too much of every conversation. Lists that are close to it are covered by
 * list-growing.
 */
import { weighList } from '../../weigh-list.ts';
import type { Rule } from '../../rule.ts';

const MOST = 10_000;

export const rule: Rule = {
  id: 'list-size',
  category: 'schema',
  severity: 'warning',
  summary: `The list of tools takes more than ${MOST} tokens, at about four characters per token.`,
  cost: 'Each conversation pays for the list before the first word, and models choose worse among many long tools.',
  // Nextcloud lists only what a caller's scopes permit; EPD publishes its 67 tools as one list.
  profiles: { nextcloud: 'off', epd: 'off' },
  codes: { 'list-size': `The list takes more than ${MOST} tokens.` },
  checkServer: (server) => {
    const { tokens, heaviest } = weighList(server);
    if (tokens <= MOST) return [];
    const message = `The list takes about ${tokens} tokens of every conversation; the largest tools are ${heaviest}.`;
    return [{ code: 'list-size', pointer: '/tools', message }];
  },
};
