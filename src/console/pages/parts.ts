/** Untrusted text, line by line, with every character visible and nothing treated as markup. */
import { html } from 'hono/html';
import type { HintName } from '../../effect/hints.ts';
import { HINT_NAMES } from '../../effect/hints.ts';
import type { Tier } from '../../effect/tier.ts';
import { showText } from '../../gate/approvals/show-text.ts';
import type { Budget, Verdict } from '../../gate/policy/verdict.ts';
import type { ServerView } from '../console-services.ts';
import type { FoundServer } from '../data/find-server.ts';
import { toQuery } from '../data/tool-filter.ts';
import type { SaidHint, ToolView } from '../data/tools-view.ts';
import type { Markup } from '../page.ts';

const LONGEST = 20_000;

export function foreignText(text: string): Markup {
  const lines = text.slice(0, LONGEST).split('\n').map(showText).join('\n');
  const rest = text.length - LONGEST;
  return html`<pre class="foreign">${lines}</pre>
    ${rest > 0 ? html`<p>And ${rest} more characters.</p>` : ''}`;
}

/** A choice in a form, with its label. */
export interface Choice {
  readonly value: string;
  readonly word: string;
}

interface SelectInit {
  readonly label: string;
  readonly name: string;
  readonly choices: readonly Choice[];
  readonly chosen: string | undefined;
  /** The label for no choice; without it, a choice is required. */
  readonly any?: string;
}

export function selectField({ label, name, choices, chosen, any }: SelectInit): Markup {
  const all = any === undefined ? choices : [{ value: '', word: any }, ...choices];
  return html`<label
    >${label}
    <select name="${name}">
      ${all.map(
        ({ value, word }) =>
          html`<option value="${value}" ${value === (chosen ?? '') ? html`selected` : ''}>
            ${word}
          </option>`,
      )}
    </select></label
  >`;
}

/** Milliseconds since 1970. In UTC; the script of the pages puts it into the zone of the reader. */
export function when(time: number): Markup {
  const text = new Date(time).toISOString();
  return html`<time datetime="${text}">${text.slice(0, 19).replace('T', ' ')} UTC</time>`;
}

/** A tier on a page: its shape and its word; colour is additional. */
export function tierTag(tier: Tier): Markup {
  const { shape, word } = TIER_MARKS[tier];
  return html`<span class="tier" data-tier="${tier}"
    ><span aria-hidden="true">${shape}</span> ${word}</span
  >`;
}

/** `tools` are sorted gravest first. */
export function tierCounts(server: string, tools: readonly ToolView[]): Markup {
  if (tools.length === 0) return html`none known yet`;
  return html`<ul class="counts">
    ${[...Map.groupBy(tools, ({ tier }) => tier)].map(
      ([tier, those]) =>
        html`<li>
          <a href="/tools${toQuery({ server, tier })}">${tierTag(tier)} <b>${those.length}</b></a>
        </li>`,
    )}
  </ul>`;
}

/** Each tier as people see it: a word, a shape and a colour, never the colour alone. */
interface TierMark {
  readonly word: string;
  /** Drawn next to the word; distinguishes tiers without colour. */
  readonly shape: string;
  /** The name of a CSS variable. */
  readonly colour: string;
}

export const TIER_MARKS: Readonly<Record<Tier, TierMark>> = Object.freeze({
  read: { word: 'reads', shape: '○', colour: '--tier-read' },
  compute: { word: 'changes', shape: '◐', colour: '--tier-compute' },
  share_export: { word: 'shares', shape: '△', colour: '--tier-share' },
  external_spend: { word: 'spends', shape: '◆', colour: '--tier-spend' },
  destructive: { word: 'destroys', shape: '■', colour: '--tier-destructive' },
});

/** The name of a tool, made visible, as a link to its page. */
export function toolLink(server: string, tool: string, at?: string): Markup {
  const path = toolPath(server, tool, at);
  const name = html`<code>${showText(tool)}</code>`;
  return path === undefined ? name : html`<a href="${path}">${name}</a>`;
}

/** Undefined for names that no address can carry: dots alone would walk up the path. */
export function toolPath(server: string, tool: string, at?: string): string | undefined {
  const parts = [server, tool];
  const isLost = (part: string): boolean => /^\.{0,2}$/.test(part) || !part.isWellFormed();
  if (parts.some(isLost)) return undefined;
  return `/tools/${parts.map(encodeURIComponent).join('/')}${at === undefined ? '' : `?at=${at}`}`;
}

/** To the page of the tool of that server, where several have its name. */
export function ownToolLink({ server, at, isOneOfMany }: Place, tool: string): Markup {
  return toolLink(server.name, tool, isOneOfMany ? at : undefined);
}

/** Undefined for names that no address can carry: dots alone would walk up the path. */
export function serverPath(
  server: string,
  part: '' | '/pins' | '/review' = '',
  at?: string,
): string | undefined {
  if (/^\.{0,2}$/.test(server) || !server.isWellFormed()) return undefined;
  return `/servers/${encodeURIComponent(server)}${part}${at === undefined ? '' : `?at=${at}`}`;
}

type Place = Pick<FoundServer, 'server' | 'at' | 'isOneOfMany'>;

/** The page of a server, and of that one where several have its name. */
export function pathOf(
  { server, at, isOneOfMany }: Place,
  part: '' | '/review' = '',
): string | undefined {
  return serverPath(server.name, part, isOneOfMany ? at : undefined);
}

/** What a tool's hints say, in words. Unset hints are not shown. */
const WORDS: Readonly<Record<HintName, Readonly<Record<'true' | 'false', string>>>> = {
  readOnlyHint: { true: 'read-only', false: 'not read-only' },
  destructiveHint: { true: 'destructive', false: 'not destructive' },
  idempotentHint: { true: 'idempotent', false: 'not idempotent' },
  openWorldHint: { true: 'open world', false: 'closed world' },
};

export function hintWord(name: HintName, said: SaidHint): string {
  if (said === 'unset') return `${name} unset`;
  return said === 'unclear' ? `${name} unclear` : WORDS[name][said];
}

/** Empty when no hint is set. */
export function hintWords(hints: Readonly<Record<HintName, SaidHint>>): string {
  return HINT_NAMES.filter((name) => hints[name] !== 'unset')
    .map((name) => hintWord(name, hints[name]))
    .join(', ');
}

/** What happens to a call, in a word. */
export const VERDICT_WORDS: Readonly<Record<Verdict['kind'], string>> = Object.freeze({
  allow: 'runs',
  ask: 'asks',
  deny: 'refused',
});

const COUNTED: Readonly<Record<Budget['counts'], string>> = Object.freeze({
  calls: 'calls',
  'compute-seconds': 'seconds',
  money: 'units of money',
});

/** How much a budget allows, and in which time. */
export function limitWords({ limit, counts, unit, per }: Budget): string {
  return `${limit} ${unit === undefined ? COUNTED[counts] : showText(unit)} per ${per}`;
}

/** Which revision of the protocol a server speaks. */
export function eraWords({ era }: Pick<ServerView, 'era'>): string {
  if (era === undefined) return 'not known yet';
  return era === 'modern' ? '2026-07-28' : '2025-11-25 or older';
}

/** `20001` as `20,001`. */
export function withSeparators(count: number): string {
  return count.toLocaleString('en-US');
}
