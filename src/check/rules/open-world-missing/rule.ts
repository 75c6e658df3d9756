/** openWorldHint left unsaid. It has a rule of its own because not every directory asks for it. */
import { saysSomeHint, unsaidHint } from '../../tool-hints.ts';
import type { Rule } from '../../rule.ts';

export const rule: Rule = {
  id: 'open-world-missing',
  category: 'annotations',
  severity: 'info',
  summary: 'A tool says other hints and leaves openWorldHint unsaid.',
  cost: 'It counts as reaching out into the world, or as not doing so, depending on the host.',
  profiles: {
    'anthropic-directory': 'info',
    'openai-apps': 'error',
    closient: 'off',
    geopera: 'off',
    nextcloud: 'off',
    epd: 'off',
    strict: 'warning',
  },
  codes: { 'open-world-missing': 'openWorldHint is unsaid.' },
  checkTool: (tool) =>
    saysSomeHint(tool) ? unsaidHint(tool, 'openWorldHint', 'open-world-missing') : [],
};
