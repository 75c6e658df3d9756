/**
 * Makes the copy of an outcome that is stored for replay, without one-time secrets: a replay says that
 * the secret was delivered, and never contains it.
 */
import { possibleEffects } from '../effect/effect.ts';
import type { Operation } from '../effect/operation.ts';
import type { StoredOutcome } from '../ledger/idempotency/outcome.ts';
import { parseLossless } from '../lib/lossless-json.ts';
import { RawNumber } from '../lib/strict-json.ts';
import type { Services } from './flow.ts';
import { checkAnswer } from './validate-output.ts';

/** Replaces the secret. */
const DELIVERED = 'secret-already-delivered';

/** Shorter texts are replaced only where they stand alone: they could be part of any word. */
const SHORTEST_PART = 8;

interface Sealing {
  readonly names: ReadonlySet<string>;
  /** The secrets themselves. */
  readonly texts: ReadonlySet<string>;
  /** The same in the encodings in which they may be part of another text, the longest first. */
  readonly spellings: readonly string[];
}

/** `known`: secrets that were minted or revealed during the call. */
export function sealOutcome(
  outcome: StoredOutcome,
  { effect }: Pick<Operation, 'effect'>,
  known: readonly string[] = [],
): StoredOutcome {
  const names = new Set(possibleEffects(effect).flatMap(({ secrets }) => secrets));
  if (names.size === 0 && known.length === 0) return outcome;
  // Only what JSON makes of it is stored, so only that needs to be searched.
  const plain = parseLossless(JSON.stringify(outcome)) as StoredOutcome;
  const texts = new Set([...known, ...textsUnder(names, plain)].filter((text) => text !== ''));
  const long = [...texts].filter((text) => text.length >= SHORTEST_PART);
  const spellings = [...new Set(long.flatMap(spellingsOf))].toSorted((a, b) => b.length - a.length);
  const sealed = seal(plain, { names, texts, spellings }) as StoredOutcome;
  if (sealed.kind !== 'success' || names.size === 0) return sealed;
  // Content made by hand may hold the secret in any form, so none of it is kept.
  const { content: _, ...rest } = sealed;
  return rest;
}

/** What a replay answers with a value that became known after its call had been given up. */
export async function sealFound(
  operation: Operation,
  value: unknown,
  services: Pick<Services, 'newId' | 'report'>,
): Promise<StoredOutcome> {
  const checked = await checkAnswer(operation, value, services);
  return checked.kind === 'fits'
    ? sealOutcome({ kind: 'success', value: checked.answer }, operation, checked.revealed)
    : { kind: 'failure', problem: checked.problem };
}

/** The texts and numbers under these names, at any depth. */
function textsUnder(
  names: ReadonlySet<string>,
  value: unknown,
  isSecret = false,
): readonly string[] {
  const text = toText(value);
  if (text !== undefined) return isSecret ? [text] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    textsUnder(names, member, isSecret || names.has(name)),
  );
}

function seal(value: unknown, sealing: Sealing, isSecret = false): unknown {
  const text = toText(value);
  if (text !== undefined) {
    if (isSecret && text !== '') return DELIVERED;
    return typeof value === 'string' ? sealText(value, sealing) : sealNumber(value, text, sealing);
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => seal(item, sealing, isSecret));
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      sealText(name, sealing),
      seal(member, sealing, isSecret || sealing.names.has(name)),
    ]),
  );
}

/** What a secret can be: a text or a number. */
function toText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || value instanceof RawNumber ? String(value) : undefined;
}

function sealText(text: string, { texts, spellings }: Sealing): string {
  if (texts.has(text)) return DELIVERED;
  return spellings.reduce((sealed, secret) => sealed.replaceAll(secret, DELIVERED), text);
}

/** A short one could be any amount. */
function sealNumber(value: unknown, text: string, { texts }: Sealing): unknown {
  return text.length >= SHORTEST_PART && texts.has(text) ? DELIVERED : value;
}

/** As it is, in a URL, in JSON, in hex, and in base64 as a part of something longer, such as a header. */
function spellingsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  const base64 = [0, 1, 2].map((before) => base64Part(bytes, before));
  const hex = bytes.toString('hex');
  return [
    secret,
    encodeURIComponent(secret.toWellFormed()),
    JSON.stringify(secret).slice(1, -1),
    hex,
    hex.toUpperCase(),
    ...base64,
    ...base64.map((part) => part.replaceAll('+', '-').replaceAll('/', '_')),
  ];
}

/** The characters that stand for these bytes only, where so many others precede them in their group. */
function base64Part(bytes: Buffer, before: number): string {
  const shared = Math.ceil((before * 8) / 6);
  const whole = Math.floor(((before + bytes.length) * 8) / 6);
  return Buffer.concat([Buffer.alloc(before), bytes])
    .toString('base64')
    .slice(shared, whole);
}
