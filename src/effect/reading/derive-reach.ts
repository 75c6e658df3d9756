/** How far a foreign tool reaches: to other people, to an address the caller gives, to a vendor's data, or no further than the account. */
import type { Act } from '../act.ts';
import type { Reach } from '../effect.ts';
import type { StampReading } from '../read-stamp.ts';
import type { Parameters } from './read-parameters.ts';
import { toWords } from './to-words.ts';

const ADDRESS = /^(?:urls?|uri|webhook(?:_url)?|callback_url|link|website|page_url|href|endpoint)$/;
const PERSON =
  /^(?:recipients?|to|to_\w+|cc|bcc|emails?|email_address|phone(?:_number)?|attendees|invitees|share_with|destination(?:_address)?)$/;
const PUBLIC = new Set(
  `web internet news weather wikipedia arxiv scholar papers stock stocks crypto market maps geocode places
  docs documentation library packages npm pypi search scrape crawl youtube`.split(/\s+/),
);

export function deriveReach(
  act: Act,
  name: string,
  { all }: Parameters,
  { hints: { openWorldHint } }: StampReading,
  trusted: boolean,
): Reach {
  const takes = (pattern: RegExp): boolean => all.some(({ key }) => pattern.test(key));
  const reads = act === 'read';
  if (act === 'deliver') return 'third-party';
  if (takes(ADDRESS)) return reads ? 'user-url' : 'third-party';
  if (!reads && (act === 'share' || act === 'spend') && takes(PERSON)) return 'third-party';
  if (act === 'share') return 'third-party';
  if (openWorldHint.state === 'claimed') {
    if (openWorldHint.value) return 'vendor-data';
    if (trusted) return 'own-account';
  }
  return reads && toWords(name).some((word) => PUBLIC.has(word)) ? 'vendor-data' : 'own-account';
}
