/** Finds tools that claim a closed world while they write to people, fetch URLs or search the web. */
import { TIERS } from '../../../effect/tier.ts';
import { descriptionOf, wordSet } from '../../tool-texts.ts';
import { hintDraft, saidHint } from '../../tool-hints.ts';
import { leadVerb, inferFromText } from '../../tool-inference.ts';
import { parametersOf } from '../../tool-schema.ts';
import type { Rule } from '../../rule.ts';
import type { ToolSubject } from '../../subject.ts';
import { toSingular, toWords } from '../../../effect/infer/to-words.ts';

const SENDS = wordSet(
  'send reply forward broadcast announce resend tweet retweet repost crosspost email mail sms dial call fax post publish',
);
const TO_PEOPLE = wordSet(
  'email mail message sms text tweet retweet dm newsletter notification fax whatsapp telegram slack discord reply call',
);
const TO_PUBLIC = wordSet(
  'article blog story video npm twitter linkedin facebook instagram reddit feed',
);
const FETCHES = wordSet('fetch scrape crawl browse navigate visit curl goto extract');
/** Only with a required URL. */
const MAY_FETCH = wordSet('download screenshot open load read get convert audit analyze url');
const ADDRESS = /^(?:urls?|uri|href|website|page_url|link)$/;
const PUBLIC_THINGS = wordSet(
  'web internet news weather wikipedia arxiv scholar google bing duckduckgo youtube reddit hackernews geocode map',
);
const THE_WEB =
  /\b(?:search|browse|query|look\w*|find|fetch)\w*\b[^.]{0,40}\b(?:the (?:public )?(?:web|internet)|online sources|web pages?)\b|\bweb search\b|\bsearch(?:es)? (?:the )?web\b|\b(?:arxiv|pubmed|wikipedia)\b|\bresults? from the (?:web|internet)\b/i;

export const rule: Rule = {
  id: 'open-world-untrue',
  category: 'truth',
  severity: 'warning',
  summary: 'openWorldHint is false on a tool that reaches people, addresses or the public web.',
  cost: 'Hosts trust its results and let data out without asking: the two halves of a leak.',
  profiles: { 'openai-apps': 'error', strict: 'error' },
  codes: {
    'open-world-untrue/sends': 'openWorldHint false on a tool that sends or publishes',
    'open-world-untrue/fetches': 'openWorldHint false on a tool that fetches a URL it is given',
    'open-world-untrue/public': 'openWorldHint false on a tool that queries the public web',
  },
  checkTool(tool) {
    if (saidHint(tool, 'openWorldHint') !== false) return [];
    const found = findReach(tool);
    if (found === undefined) return [];
    const [code, text] = found;
    const message = `openWorldHint is false, but it ${text}.`;
    return [hintDraft(tool, { code, hint: 'openWorldHint', message, value: true })];
  },
};

function findReach(tool: ToolSubject): readonly [code: string, text: string] | undefined {
  const words = toWords(tool.name).map(toSingular);
  const verb = leadVerb(tool.name) ?? '';
  const { effect } = inferFromText(tool);
  const has = (set: ReadonlySet<string>, but = ''): boolean =>
    words.some((word) => word !== but && set.has(word));
  const reads = TIERS[effect.tier].readsOnly;
  if (!reads && SENDS.has(verb) && effect.reach === 'third-party') {
    const reaches = has(TO_PEOPLE)
      ? 'sends to people'
      : has(TO_PUBLIC, verb)
        ? 'publishes'
        : undefined;
    if (reaches !== undefined && !words.includes('draft'))
      return ['open-world-untrue/sends', `${reaches} outside the account`];
  }
  const address = parametersOf(tool).find((one) => one.top && ADDRESS.test(one.key));
  if (address !== undefined && (has(FETCHES) || (address.required && has(MAY_FETCH))))
    return ['open-world-untrue/fetches', 'fetches a URL that the caller gives'];
  if (reads && (has(PUBLIC_THINGS) || THE_WEB.test(descriptionOf(tool).slice(0, 600))))
    return ['open-world-untrue/public', 'queries the public web'];
  return undefined;
}
