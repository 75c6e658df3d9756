/** The boolean that a tool sends as a hint, even if other claims contradict it. */
import type { Convention } from '../effect/convention.ts';
import { worstTier } from '../effect/effect.ts';
import type { HintName, Hints } from '../effect/hints.ts';
import { readDeclaredEffect } from '../effect/infer/read-declared-effect.ts';
import { readParameters } from '../effect/infer/read-parameters.ts';
import { META_KEYS } from '../effect/meta-keys.ts';
import { TIERS } from '../effect/tier.ts';
import type { Draft, Fix } from './rule.ts';
import type { ToolSubject } from './subject.ts';
import { inferFromText } from './tool-inference.ts';
import { memberOf, pointerInto, toJsonObject } from './tool-schema.ts';
import { toWords } from '../effect/infer/to-words.ts';

export function saidHint({ stamp }: ToolSubject, name: HintName): boolean | undefined {
  const claim = stamp.hints[name];
  if (claim.state === 'claimed') return claim.value;
  if (claim.state === 'contradictory' && typeof claim.said === 'boolean') return claim.said;
  return undefined;
}

/**
 * Whether a tool sets any of the four hints, valid or not. A tool that sets none is one finding, not
 * four.
 */
export function saysSomeHint(tool: ToolSubject): boolean {
  return Object.values(tool.stamp.hints).some(({ state }) => state !== 'absent');
}

/**
 * The hints whose value is certain from the tool's own text, for a fix. Requires both a confident
 * inferred effect without claims and a leading plain verb; everything else is up to the author.
 */
const CERTAIN = 0.9;
const READS = new Set(['get', 'list', 'read', 'find', 'describe', 'show', 'count']);
const CHANGES = new Set(['create', 'update', 'write', 'insert', 'edit', 'rename', 'set']);
const REMOVES = new Set(['delete', 'drop', 'purge', 'wipe', 'destroy', 'erase']);
/** A read that takes one of these may write a file. */
const WRITES_FILE = /(?:^|_)file_?(?:path|name)$|^(?:output|save|dest|attachment)\w*$/;

export function certainHints(tool: ToolSubject): Hints {
  const { effect, confidence } = inferFromText(tool);
  const words = toWords(tool.name);
  if (confidence < CERTAIN || effect.varies.length > 0 || words.length < 2) return {};
  const { readsOnly, asks } = TIERS[effect.tier];
  // The first word may be the name of the service.
  const leads = (verbs: ReadonlySet<string>): boolean =>
    words.slice(0, 2).some((word) => verbs.has(word));
  const isRead = readsOnly && leads(READS) && !writesFile(tool.raw);
  if (isRead) return { readOnlyHint: true, destructiveHint: false };
  if (asks && leads(REMOVES)) return { readOnlyHint: false, destructiveHint: true };
  return !readsOnly && leads(CHANGES) ? { readOnlyHint: false } : {};
}

function writesFile(raw: unknown): boolean {
  return readParameters(memberOf(raw, 'inputSchema')).all.some(({ key }) => WRITES_FILE.test(key));
}

/** What an unset hint means: to MCP, and to the hosts that read the hint. */
const TAKEN_FOR: Readonly<Record<HintName, string>> = {
  readOnlyHint:
    'MCP assumes false: ChatGPT and VS Code confirm each call, Codex asks unless two other hints promise safety, and Cursor does not count it among the reads',
  destructiveHint:
    'MCP assumes true, but Claude Desktop and Claude Code assume false; Codex asks, ChatGPT and VS Code ask as for any write',
  idempotentHint: 'MCP assumes false: a host that retries will not send the call again',
  openWorldHint:
    'MCP assumes true: Codex asks even where destructiveHint is false, while VS Code uses the results directly, without showing them first',
};

export function unsetHint(tool: ToolSubject, hint: HintName, code: string): readonly Draft[] {
  const annotations = toJsonObject(memberOf(tool.raw, 'annotations'));
  if (annotations === undefined || annotations[hint] !== undefined) return [];
  const pointer = pointerInto(tool.pointer, 'annotations', hint);
  const value = certainHints(tool)[hint];
  return [
    {
      code,
      pointer,
      message: `${hint} is not set. ${TAKEN_FOR[hint]}.`,
      ...(value !== undefined && { fix: { kind: 'set', pointer, value } }),
    },
  ];
}

/** The draft of a finding about one hint that should have the other value. */
interface HintFault {
  readonly code: string;
  readonly hint: HintName;
  readonly message: string;
  /** What the hint should be. */
  readonly value: boolean;
  /** Less than certain: a warning, and nothing that is changed without looking. */
  readonly isGuess?: boolean;
}

export function hintDraft(
  tool: ToolSubject,
  { code, hint, message, value, isGuess = false }: HintFault,
): Draft {
  const pointer = `${tool.pointer}/annotations/${hint}`;
  if (isGuess) return { code, pointer, message, severity: 'warning' };
  return { code, pointer, message, fix: { kind: 'set', pointer, value } };
}

/** A hint that a convention would send differently. */
interface ConventionFault {
  readonly code: string;
  readonly message: (hint: HintName) => string;
  /** The wrong value; undefined when the hint is not set. */
  readonly when: (said: unknown) => boolean;
  readonly fix?: 'remove';
}

export function conventionHint(
  tool: ToolSubject,
  hints: readonly HintName[],
  { code, message, when, fix }: ConventionFault,
): readonly Draft[] {
  return hints
    .filter((hint) => when(memberOf(tool.raw, 'annotations', hint)))
    .map((hint) => {
      const pointer = pointerInto(tool.pointer, 'annotations', hint);
      const applied: Fix | undefined = fix === undefined ? undefined : { kind: fix, pointer };
      return {
        code,
        pointer,
        message: message(hint),
        ...(applied !== undefined && { fix: applied }),
      };
    });
}

/**
 * Whether `_meta` marks the tool as one to ask about: a tier that asks, a whole effect, or a host's own
 * key.
 */
export function isMarked({ raw, stamp }: ToolSubject): boolean {
  if (stamp.tier.state === 'claimed' && TIERS[stamp.tier.value].asks) return true;
  const asks = [META_KEYS.claudeAsks, META_KEYS.cursorAsks];
  if (asks.some(({ key }) => memberOf(raw, '_meta', key) === true)) return true;
  const declared = readDeclaredEffect(raw);
  return declared !== undefined && TIERS[worstTier(declared)].asks;
}

/** Titles that are missing from where a convention puts them. */
const PLACES = { tool: ['title'], annotations: ['annotations', 'title'] } as const;

export function conventionTitles(tool: ToolSubject, convention: Convention): readonly Draft[] {
  const said = tool.stamp.title?.trim() ?? '';
  if (said === '') return []; // no title at all is another rule's
  return convention.titleIn.flatMap((where): readonly Draft[] => {
    const place = PLACES[where];
    if (memberOf(tool.raw, ...place) !== undefined) return [];
    const pointer = pointerInto(tool.pointer, ...place);
    const spot = where === 'tool' ? 'on the tool itself' : 'in the annotations';
    return [
      {
        code: `convention-${convention.name}/title`,
        pointer,
        message: `The ${convention.name} convention also puts the title ${spot}.`,
        fix: { kind: 'set', pointer, value: said },
      },
    ];
  });
}
