/**
 * Makes the copy of an outcome that is stored for replay, without one-time secrets: a replay says that
 * the secret was delivered, and never contains it.
 */
import { possibleEffects } from '../effect/effect.ts';
import type { Operation } from '../effect/operation.ts';
import type { StoredOutcome } from '../ledger/idempotency/outcome.ts';
import type { Services } from './flow.ts';
import { checkAnswer } from './validate-output.ts';

/** Replaces the secret. */
const DELIVERED = 'secret-already-delivered';

/** Shorter texts are replaced only where they stand alone: they could be part of any word. */
const SHORTEST_PART = 8;

interface Sealing {
  readonly names: ReadonlySet<string>;
  readonly texts: ReadonlySet<string>;
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
  const plain = JSON.parse(JSON.stringify(outcome)) as StoredOutcome;
  const texts = new Set([...known, ...textsUnder(names, plain)].filter((text) => text !== ''));
  const sealed = seal(plain, { names, texts }) as StoredOutcome;
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

/** The texts under these names, at any depth. */
function textsUnder(names: ReadonlySet<string>, value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    names.has(name) && typeof member === 'string' ? [member] : textsUnder(names, member),
  );
}

function seal(value: unknown, sealing: Sealing): unknown {
  if (typeof value === 'string') return sealText(value, sealing);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => seal(item, sealing));
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const isSecret = sealing.names.has(name) && typeof member === 'string';
      return [sealText(name, sealing), isSecret ? DELIVERED : seal(member, sealing)];
    }),
  );
}

function sealText(text: string, { texts }: Sealing): string {
  let sealed = text;
  for (const secret of texts) {
    if (sealed === secret) return DELIVERED;
    if (secret.length >= SHORTEST_PART) sealed = sealed.replaceAll(secret, DELIVERED);
  }
  return sealed;
}
