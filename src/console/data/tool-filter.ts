/** Which tools a page shows, as given in the query string, and whether a tool is one of them. */
import type { HintName } from '../../effect/hints.ts';
import { HINT_NAMES } from '../../effect/hints.ts';
import type { Tier } from '../../effect/tier.ts';
import { isTier } from '../../effect/tier.ts';
import type { Verdict } from '../../gate/policy/verdict.ts';
import type { Basis, ToolView, SaidHint } from './tools-view.ts';
import { isBasis } from './tools-view.ts';

export interface ToolFilter {
  /** Words that must all occur in the tool's name, title or description. */
  readonly q?: string;
  readonly tier?: Tier;
  readonly server?: string;
  readonly hint?: HintWish;
  readonly evidence?: Basis;
  readonly verdict?: Verdict['kind'];
}

interface HintWish {
  readonly name: HintName;
  readonly said: SaidHint;
}

const SAID: readonly SaidHint[] = ['true', 'false', 'unset', 'unclear'];
const VERDICTS: readonly Verdict['kind'][] = ['allow', 'ask', 'deny'];

/** Unknown values are ignored. */
export function readToolFilter(query: Readonly<Record<string, string>>): ToolFilter {
  const { q = '', tier, server = '', hint = '', evidence } = query;
  const verdict = VERDICTS.find((kind) => kind === query['verdict']);
  const wish = readHint(hint);
  return {
    ...(q.trim() !== '' && { q: q.trim() }),
    ...(isTier(tier) && { tier }),
    ...(server !== '' && { server }),
    ...(wish !== undefined && { hint: wish }),
    ...(isBasis(evidence) && { evidence }),
    ...(verdict !== undefined && { verdict }),
  };
}

/** In the format of `readToolFilter`. */
export function toQuery({ hint, ...rest }: ToolFilter, page = 1): string {
  const query = new URLSearchParams(rest);
  if (hint !== undefined) query.set('hint', toHintWord(hint));
  if (page > 1) query.set('page', String(page));
  return query.size === 0 ? '' : `?${query.toString()}`;
}

export function toHintWord({ name, said }: HintWish): string {
  return `${name}:${said}`;
}

export function passes(tool: ToolView, filter: ToolFilter): boolean {
  const { q, tier, server, hint, evidence, verdict } = filter;
  return (
    (tier === undefined || tool.tier === tier) &&
    (server === undefined || tool.server === server) &&
    (hint === undefined || tool.hints[hint.name] === hint.said) &&
    (evidence === undefined || tool.basis === evidence) &&
    (verdict === undefined || tool.verdict === verdict) &&
    (q === undefined || hasWords(tool, q))
  );
}

function readHint(text: string): HintWish | undefined {
  const [first, second] = text.split(':', 2);
  const name = HINT_NAMES.find((each) => each === first);
  const said = SAID.find((each) => each === second);
  return name === undefined || said === undefined ? undefined : { name, said };
}

function hasWords({ name, title, description, act, server }: ToolView, q: string): boolean {
  const text = [name, title, description, act, server].join('\n').toLowerCase();
  return q
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
