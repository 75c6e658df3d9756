/** Lists that begin to take noticeable context. */
import { weighList } from '../../weigh-list.ts';
import type { Rule } from '../../rule.ts';

const NOTED = 5_000;
const MOST = 10_000;

export const rule: Rule = {
  id: 'list-growing',
  category: 'schema',
  severity: 'info',
  summary: `The list of tools takes more than ${NOTED} and up to ${MOST} tokens.`,
  cost: 'Each conversation pays for the list before the first word; together with other servers it soon fills the context.',
  codes: { 'list-growing': `The list takes more than ${NOTED} and up to ${MOST} tokens.` },
  checkServer: (server) => {
    const { tokens, heaviest } = weighList(server);
    if (tokens <= NOTED || tokens > MOST) return [];
    const message = `The list takes about ${tokens} tokens of every conversation; the largest tools are ${heaviest}.`;
    return [{ code: 'list-growing', pointer: '/tools', message }];
  },
};
