/** openWorldHint not set. It has its own rule because not every directory requires it. */
import { saysSomeHint, unsetHint } from '../../tool-hints.ts';
import type { Rule } from '../../rule.ts';

export const rule: Rule = {
  id: 'open-world-missing',
  category: 'annotations',
  severity: 'info',
  summary: 'A tool sets other hints but not openWorldHint.',
  cost: 'It counts as open world or as closed world, depending on the host.',
  profiles: {
    'anthropic-directory': 'info',
    'openai-apps': 'error',
    closient: 'off',
    geopera: 'off',
    nextcloud: 'off',
    epd: 'off',
    strict: 'warning',
  },
  codes: { 'open-world-missing': 'openWorldHint is not set.' },
  checkTool: (tool) =>
    saysSomeHint(tool) ? unsetHint(tool, 'openWorldHint', 'open-world-missing') : [],
};
