/**
 * The same text as `write-body.ts`, for less where calls of one tool by one caller follow each other: what their
 * receipts have in common is written once, and the values that each has of its own are put in between.
 */
import type { Receipt } from '../receipt.ts';
import type { UnnumberedReceipt } from '../tables.ts';
import { writeBody } from './write-body.ts';

/** What the last receipts of one tool and caller had in common. */
interface Similar {
  readonly receipt: Receipt;
  /** How many were alike so far. */
  count: number;
  /** How many in a row were not. */
  others: number;
  outline: Outline | undefined;
}

interface Outline {
  /** What comes before, between and behind the values of the receipt itself. */
  readonly between: readonly string[];
  readonly after: string;
}

/** An outline costs as much as writing two bodies. */
const LEAST_ALIKE = 3;
/** After this many others in a row, the last of them is taken for what is usual. */
const MOST_OTHERS = 8;
const MOST_KNOWN = 256;
/** A receipt with a longer body is not remembered. */
const LONGEST = 2000;
/** With more tools and callers than that, to remember each of them in turn would cost more than it saves. */
const MOST_MISSED = 20_000;

/** By operation and by principal. */
const known = new Map<string, Map<string | undefined, Similar>>();
let size = 0;
/** Since it is full. */
let missed = 0;

export function writeSimilarBody(receipt: Receipt, argsDigest: string): UnnumberedReceipt['body'] {
  const similar = known.get(receipt.operation)?.get(receipt.principal);
  if (similar === undefined || !isAlike(similar.receipt, receipt)) {
    const body = writeBody(receipt, argsDigest);
    // Whoever calls chooses the name of the tool, which may be as long as a message.
    const isShort = body[0].length + body[1].length <= LONGEST;
    if (isShort && isWorthIt(similar)) remember(receipt);
    return body;
  }
  similar.count += 1;
  similar.others = 0;
  if (similar.count < LEAST_ALIKE) return writeBody(receipt, argsDigest);
  similar.outline ??= toOutline(similar.receipt);
  return fill(similar.outline, receipt, argsDigest) ?? writeBody(receipt, argsDigest);
}

/** Copying costs as much as writing, and the next one may be like those before again. */
function isWorthIt(similar: Similar | undefined): boolean {
  if (similar !== undefined) {
    similar.others += 1;
    return similar.others >= MOST_OTHERS;
  }
  if (size < MOST_KNOWN) return true;
  missed += 1;
  if (missed < MOST_MISSED) return false;
  known.clear();
  [size, missed] = [0, 0];
  return true;
}

function remember(receipt: Receipt): void {
  // A copy: whoever made it may change it and record it again, and its texts may be parts of longer ones.
  const copy = JSON.parse(JSON.stringify(receipt)) as Partial<Receipt>;
  const { operation, principal } = copy;
  if (typeof operation !== 'string') return;
  let callers = known.get(operation);
  if (callers === undefined) known.set(operation, (callers = new Map<string, Similar>()));
  if (!callers.has(principal)) size += 1;
  const similar = { receipt: copy as Receipt, count: 1, others: 0, outline: undefined }; // of a receipt
  callers.set(principal, similar);
}

/**
 * Whether two receipts of one operation and principal differ at most in the values that `fill` puts in. A
 * member that is not a string, number or boolean never equals its copy.
 */
function isAlike(one: Receipt, other: Receipt): boolean {
  return (
    one.act === other.act &&
    one.amount === other.amount &&
    one.answer === other.answer &&
    one.approval === other.approval &&
    one.approver === other.approver &&
    one.asked === other.asked &&
    one.attempts === other.attempts &&
    one.decision === other.decision &&
    one.delivered === other.delivered &&
    one.effect === other.effect &&
    one.grant === other.grant &&
    one.granted === other.granted &&
    (one.keyRecord === undefined) === (other.keyRecord === undefined) &&
    one.kind === other.kind &&
    one.openWorld === other.openWorld &&
    one.outcome === other.outcome &&
    one.permit === other.permit &&
    one.reach === other.reach &&
    one.request === other.request &&
    one.rule === other.rule &&
    one.sent === other.sent &&
    one.server === other.server &&
    one.tenant === other.tenant &&
    one.tier === other.tier &&
    one.unit === other.unit &&
    one.until === other.until &&
    one.via === other.via
  );
}

/** Stands for a value. Another member with just this text gives one part too many, and `fill` then gives nothing. */
const HOLE = '\u2028';

function toOutline(receipt: Receipt): Outline {
  const { keyRecord } = receipt;
  const own = { at: HOLE, id: HOLE, milliseconds: HOLE };
  const emptied = { ...receipt, ...own, ...(keyRecord !== undefined && { keyRecord: HOLE }) };
  const [before, after] = writeBody(emptied, HOLE);
  return { between: before.split(`"${HOLE}"`), after };
}

/** The values in the order of their names, if none of them needs an escape. */
function fill(
  { between, after }: Outline,
  { at, id, keyRecord, milliseconds }: Receipt,
  argsDigest: string,
): UnnumberedReceipt['body'] | undefined {
  if (!isPlain(argsDigest) || !isPlain(at) || !isPlain(id)) return undefined;
  if (!Number.isSafeInteger(milliseconds)) return undefined;
  const [first = '', second = '', third = '', fourth = '', ...rest] = between;
  const text = `${first}"${argsDigest}"${second}"${at}"${third}"${id}"${fourth}`;
  if (keyRecord === undefined) {
    return rest.length === 1 ? [`${text}${milliseconds}${rest[0]}`, after] : undefined;
  }
  if (!isPlain(keyRecord) || rest.length !== 2) return undefined;
  return [`${text}"${keyRecord}"${rest[0]}${milliseconds}${rest[1]}`, after];
}

function isPlain(value: string): boolean {
  return typeof value === 'string' && PLAIN.test(value);
}

const PLAIN = /^[\w:.+-]*$/;
