/**
 * Uses of approvals that must all be refused: each takes a yes that is good and spoils one thing about
 * it. Counts what was accepted, which must be nothing, and checks that the unspoilt use still works.
 */
import type { KeyObject } from 'node:crypto';
import { createSecretKey, randomBytes, randomInt } from 'node:crypto';
import type { Approval, ApprovalState } from '../../src/gate/approvals/approval.ts';
import type { Approvals } from '../../src/gate/approvals/approvals.ts';
import { openState, sealState } from '../../src/gate/approvals/seal.ts';
import type { Store, Tx } from '../../src/ledger/store.ts';
import { toTestAnswer, toTestQuestion } from './approval-fixture.ts';
import type { Binding } from '../../src/gate/approvals/binding.ts';
import { digestArguments } from '../../src/gate/approvals/binding.ts';

export interface TamperResult {
  /** How many spoilt uses there were of each kind. */
  readonly tried: Readonly<Record<string, number>>;
  /** The kinds of spoilt uses that were accepted, one entry for each. */
  readonly accepted: readonly string[];
  /** How many good uses were made in between, and how many of them were accepted. */
  readonly good: number;
  readonly goodAccepted: number;
}

/** Spoilt uses on one approval before its good one. */
const USES_EACH = 50;

const FIELDS = [
  'tenant',
  'principal',
  'session',
  'server',
  'tool',
  'tier',
  'mode',
  'definition',
  'arguments',
  'policy',
] as const satisfies readonly (keyof Binding)[];

const UNUSABLE: readonly ApprovalState[] = ['PENDING', 'DECLINED', 'USED', 'EXPIRED', 'WITHDRAWN'];

interface Good {
  readonly approvals: Approvals;
  readonly approval: Approval;
  readonly text: string;
}

type Spoil = (tx: Tx, good: Good) => Promise<string>;

async function use(tx: Tx, { approvals, approval }: Good, binding: Binding, id = approval.id) {
  return (await approvals.consume(tx, id, binding, 'keyRecord')).kind;
}

/** With the row changed as if by time or by somebody else, and back again. */
async function useWith(
  tx: Tx,
  good: Good,
  change: { readonly state?: ApprovalState; readonly expires_at?: number },
) {
  const { id, binding, expiresAt } = good.approval;
  await tx.update('approvals', { id }, change);
  const end = await use(tx, good, binding);
  const back = { state: 'APPROVED', expires_at: expiresAt };
  if (end === 'refused') await tx.update('approvals', { id }, back);
  return end;
}

const SPOILS: readonly (readonly [string, Spoil])[] = [
  ...FIELDS.map((field): readonly [string, Spoil] => [
    field,
    (tx, good) => {
      const { binding } = good.approval;
      // Any text will do for what the types narrow: that is what is tried here.
      const spoilt = { ...binding, [field]: spoilText(binding[field]) } as Binding;
      return use(tx, good, spoilt);
    },
  ]),
  [
    'one byte of the arguments',
    (tx, good) => {
      const bytes = Buffer.from(good.text);
      const at = randomInt(bytes.length);
      bytes[at] = (bytes[at] ?? 0) ^ randomInt(1, 256);
      return use(tx, good, { ...good.approval.binding, arguments: digestArguments(bytes) });
    },
  ],
  [
    'one byte more or less',
    (tx, good) => {
      const text = randomInt(2) === 0 ? `${good.text}0` : good.text.slice(0, -1);
      const digest = digestArguments(Buffer.from(text));
      return use(tx, good, { ...good.approval.binding, arguments: digest });
    },
  ],
  ['id', (tx, good) => use(tx, good, good.approval.binding, spoilText(good.approval.id))],
  ['expiry', (tx, good) => useWith(tx, good, { expires_at: Date.now() - randomInt(1_000_000) })],
  [
    'state',
    (tx, good) => useWith(tx, good, { state: UNUSABLE[randomInt(UNUSABLE.length)] ?? 'USED' }),
  ],
];

export async function tamperWithUses(
  store: Store,
  approvals: Approvals,
  count: number,
): Promise<TamperResult> {
  const tried: Record<string, number> = {};
  const accepted: string[] = [];
  let goodAccepted = 0;
  const note = (kind: string, end: string): void => {
    tried[kind] = (tried[kind] ?? 0) + 1;
    if (end !== 'refused') accepted.push(kind);
  };
  // Each approval is used once more after its good use.
  const rounds = Math.ceil(count / (USES_EACH + 1));
  for (let round = 0; round < rounds; round += 1) {
    const text = JSON.stringify({
      to: 'alice',
      amount: round,
      nonce: randomBytes(4).toString('hex'),
    });
    const approval = await approve(approvals, text);
    const each: Good = { approvals, approval, text };
    await store.transaction(async (tx) => {
      for (let turn = 0; turn < USES_EACH; turn += 1) {
        const [kind, spoil] = SPOILS[(round * USES_EACH + turn) % SPOILS.length] ?? [];
        if (kind !== undefined && spoil !== undefined) note(kind, await spoil(tx, each));
      }
      if ((await use(tx, each, approval.binding)) === 'consumed') goodAccepted += 1;
      note('replay', await use(tx, each, approval.binding));
    });
  }
  return { tried, accepted, good: rounds, goodAccepted };
}

/** Sealed states with one character changed, lost or added, or sealed by somebody else. */
export function tamperWithSeals(count: number): TamperResult {
  const key = newKey();
  const accepted: string[] = [];
  const [tried, now] = [{ seal: count }, Date.now()];
  let goodAccepted = 0;
  for (let turn = 0; turn < count; turn += 1) {
    const state = {
      approval: `a${turn}`,
      call: 'c',
      upstream: randomBytes(6).toString('hex'),
      expires: now + 1,
    };
    const text = sealState(key, state);
    const spoilt =
      turn % 10 === 0 ? sealState(newKey(), state) : spoilText(text, turn % text.length);
    if (openState(key, spoilt, now).kind !== 'refused') accepted.push(spoilt);
    if (openState(key, text, now).kind === 'state') goodAccepted += 1;
  }
  return { tried, accepted, good: count, goodAccepted };
}

function newKey(): KeyObject {
  return createSecretKey(randomBytes(32));
}

async function approve(approvals: Approvals, text: string): Promise<Approval> {
  const { id, display } = await approvals.request(toTestQuestion(text));
  const end = await approvals.answer(id, toTestAnswer(display));
  if (end.kind === 'refused') throw new Error(`no yes to tamper with: ${end.code}`);
  return end.approval;
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.';

/** Never the same text: one letter is changed, added or taken away. */
function spoilText(text: string, at: number = randomInt(text.length)): string {
  const letter = LETTERS[randomInt(LETTERS.length)] ?? 'x';
  const kind = randomInt(3);
  if (kind === 0) return text.slice(0, at) + text.slice(at + 1);
  if (kind === 1) return text.slice(0, at) + letter + text.slice(at);
  const other = text[at] === letter ? '!' : letter;
  return text.slice(0, at) + other + text.slice(at + 1);
}
