/**
 * Last step, end, and the only place where a receipt of the gate is made: what the client is answered, what
 * becomes of the key record and the budgets, and what is recorded. Settling and recording are one
 * transaction; what happened is reported truthfully even where it cannot be recorded.
 */
import type { Effect } from '../../effect/effect.ts';
import { someTier, staysInside } from '../../effect/effect.ts';
import { inferEffect } from '../../effect/infer/infer-effect.ts';
import { TIERS } from '../../effect/tier.ts';
import type { Settlement } from '../../ledger/idempotency/key-records.ts';
import type { StoredOutcome } from '../../ledger/idempotency/outcome.ts';
import { encodeOutcome } from '../../ledger/idempotency/outcome.ts';
import type { Entry } from '../../ledger/ledger.ts';
import type { Receipt } from '../../ledger/receipt.ts';
import { newId } from '../../lib/new-id.ts';
import type { Problem } from '../../lib/problem.ts';
import { toProblem } from '../../lib/problem.ts';
import type { Failure } from '../protocol/channel.ts';
import { toFailureProblem } from '../protocol/frame.ts';
import type { Frame } from '../protocol/frame.ts';
import { toProblemAnswer } from './answers.ts';
import type { Attempted } from './attempt.ts';
import { toAnswerTarget } from './identify.ts';
import type { LifeEnd } from './life.ts';
import { wrapQuestionBack } from './own-state.ts';
import { toAmount } from './read-price.ts';
import type { GateCall } from './read-call.ts';
import { textAt } from './read-call.ts';
import { readOutcome } from './read-outcome.ts';
import type { RunningCall } from './running-call.ts';
import { toCacheKey } from './weigh.ts';

/** Reads are answered first and recorded behind; anything else is durable before its answer leaves. */
export function endCall(call: RunningCall, end: LifeEnd, cacheMark: number): void {
  const { host } = call;
  const { recorder } = host.context.services;
  const leave = (frame: Frame | undefined): void => {
    if (frame === undefined) {
      const detail = 'The caller did not wait for the answer';
      const failure: Failure = { kind: end.sent ? 'lost' : 'not-sent', detail };
      return host.ended(call.id, { kind: 'failure', failure });
    }
    host.ended(call.id, { kind: 'answer', frame });
    const key = call.held?.key?.held ?? call.replayed;
    // Only now: should the gate crash before, the answer is replayed to the next equal call.
    if (key !== undefined && end.delivered) host.context.services.ledger.delivered(key);
    return undefined;
  };
  const recorded = (): void => call.on({ kind: 'recorded' });
  if (call.call !== undefined && !isWrite(call.call) && !needsWrapping(call)) {
    cacheAnswer(call, cacheMark);
    leave(end.answers ? toAnswer(call, end) : undefined);
    // A microtask later: the answer is written first.
    queueMicrotask(() => {
      const kept = recorder.keepBehind(call.name, recordEnd(call, end));
      if (kept === undefined) recorded();
      else host.follow(`${call.name} was not recorded`, kept.then(recorded));
    });
    return;
  }
  void finish(call, end).then(leave).then(recorded);
}

async function finish(call: RunningCall, end: LifeEnd): Promise<Frame | undefined> {
  const { context } = call.host;
  const { recorder, cache, report } = context.services;
  // It is answered whether or not it could be recorded by then.
  await recorder.keep(call.name, recordEnd(call, end), {
    patience: { ms: 2000, retries: true },
    didNothing: !end.sent && call.held === undefined,
  });
  if (call.call !== undefined && isWrite(call.call) && end.sent) {
    cache.invalidateServer(context.server.name);
  }
  if (!end.answers) return undefined;
  const answer = toAnswer(call, end);
  if (!needsWrapping(call)) return answer;
  try {
    return await wrapQuestionBack(call, answer);
  } catch (error) {
    report(`the question of ${call.name} could not be passed on`, error);
    const problem = toProblem('unavailable', 'The ledger cannot be reached. Send the call again.');
    return toProblemAnswer(toAnswerTarget(call), problem);
  }
}

function isWrite({ effect }: GateCall): boolean {
  return !TIERS[effect.tier].readsOnly;
}

/** A server's question back under a person's yes: its answer must not need another yes. */
function needsWrapping({ attempted, permit }: RunningCall): boolean {
  const kind = permit?.basis.kind;
  return asksBack(attempted) && (kind === 'approval' || kind === 'continuation');
}

function cacheAnswer({ call, permit, attempted, host }: RunningCall, mark: number): void {
  const cacheSeconds = permit?.terms.cacheSeconds ?? 0;
  if (call === undefined || cacheSeconds === 0 || attempted?.kind !== 'answer') return;
  const { frame } = attempted;
  const result = Buffer.from(textAt(frame, ['result']));
  const terms = { effect: call.effect, cacheSeconds };
  const answer = { message: frame.message, result };
  host.context.services.cache.keep(toCacheKey(call, host.context), answer, terms, mark);
}

/** What the client gets, if it still waits. */
function toAnswer(call: RunningCall, end: LifeEnd): Frame {
  const { own, attempted } = call;
  if (own !== undefined) return own.frame;
  if (attempted?.kind === 'answer') return attempted.frame;
  const problem = toEndProblem(call, end);
  // What may have taken effect says so itself.
  return toProblemAnswer(toAnswerTarget(call), isUnknown(problem) ? problem : call.toTrue(problem));
}

/** States what is known: not sent, refused by the server, or may have taken effect. */
function toEndProblem({ call, name, attempted, held }: RunningCall, end: LifeEnd): Problem {
  if (end.decision === 'waiting') {
    return toProblem('approval-pending', `${name} waits for a person.`);
  }
  if (end.decision === 'cancelled') return toProblem('cancelled', `${name} was cancelled.`);
  const failure = attempted?.kind === 'failure' ? attempted.failure : undefined;
  const isHarmless = !end.sent || (call !== undefined && !isWrite(call));
  const isRefused = attempted?.kind === 'failure' && attempted.outcome === 'failed';
  if (isHarmless || isRefused) {
    if (end.decision !== 'abandoned' && failure !== undefined) return toFailureProblem(failure);
    const isOpen = end.sent ? 'was answered' : 'was sent. Nothing was run';
    return toProblem('gate-stopped', `The gate stopped before ${name} ${isOpen}.`);
  }
  const why = failure === undefined ? 'the gate stopped before the answer came' : failure.detail;
  const detail = `${name} was sent, and ${why}.`;
  const keyRecord = held?.key?.held.id;
  return held?.key?.held.effectClass === 'dedup'
    ? toProblem('retry-same-key', detail, { retryAfter: 2 })
    : toProblem('outcome-doubtful', detail, { ...(keyRecord && { reference: keyRecord }) });
}

function toOutcome(call: RunningCall, end: LifeEnd): Receipt['outcome'] {
  const { own, attempted } = call;
  if (own !== undefined) return own.outcome;
  if (attempted?.kind === 'answer') return readOutcome(attempted.frame.message);
  const problem = toEndProblem(call, end);
  return isUnknown(problem) ? 'unknown' : problem.code;
}

function isUnknown({ code }: Problem): boolean {
  return code === 'outcome-doubtful' || code === 'retry-same-key';
}

/** Whether a server's answer is a question back, which the client answers by sending the call again. */
function asksBack(attempted: Attempted | undefined): boolean {
  return attempted?.kind === 'answer' && readOutcome(attempted.frame.message) === 'input-required';
}

function toReceipt(call: RunningCall, end: LifeEnd): Receipt {
  const { server, services } = call.host.context;
  const { permit, held, price, attempts, rule, purpose } = call;
  const { caller } = call.frame;
  const now = services.now();
  const { act, tier, reach } = call.call?.effect ?? guessEffect(call.name);
  const approval = permit && permit.basis.kind !== 'policy' ? permit.basis.id : call.approval;
  const keyRecord = held?.key?.held.id ?? call.keyRecord;
  const amount = toAmount(price);
  // Every call makes one, and spreading twelve objects that are mostly empty costs as much as deciding.
  const receipt: { -readonly [Name in keyof Receipt]: Receipt[Name] } = {
    kind: 'receipt',
    id: newId(now),
    at: toTime(now),
    operation: call.name,
    act,
    tier,
    reach,
    openWorld: !staysInside(reach),
    via: caller?.via ?? 'mcp-stdio',
    decision: end.decision,
    outcome: toOutcome(call, end),
    milliseconds: now - call.startedAt,
    server: server.name,
  };
  if (call.call === undefined) receipt.effect = 'unknown';
  if (caller !== undefined) receipt.principal = caller.principal.id;
  if (caller?.principal.tenant !== undefined) receipt.tenant = caller.principal.tenant;
  if (rule !== undefined) receipt.rule = rule;
  if (permit !== undefined) receipt.permit = permit.basis.kind;
  if (permit?.approver !== undefined) receipt.approver = permit.approver;
  if (approval !== undefined) receipt.approval = approval;
  if (keyRecord !== undefined) receipt.keyRecord = keyRecord;
  if (attempts > 1) receipt.attempts = attempts;
  if (end.decision === 'cancelled') receipt.sent = end.sent;
  if (!end.delivered) receipt.delivered = false;
  if (amount !== undefined) receipt.amount = amount;
  if (amount !== undefined && price?.unit) receipt.unit = price.unit;
  if (purpose !== undefined) receipt.request = purpose;
  return receipt;
}

let [timed, time] = [Number.NaN, ''];

/** Calls come by the dozen in a millisecond, and writing a time takes as long as deciding. */
function toTime(now: number): string {
  if (now !== timed) [timed, time] = [now, new Date(now).toISOString()];
  return time;
}

/** Of a tool that the server does not list, only the name is known. */
export function guessEffect(name: string): Effect {
  return inferEffect({ name }, { trusted: false }).effect;
}

/** Settles what admission took and records the call, all or nothing. What is recorded is fixed now. */
function recordEnd(call: RunningCall, end: LifeEnd): (isRetry: boolean) => void | Promise<void> {
  const { ledger, budgets, now } = call.host.context.services;
  const settlement = toSettlement(call, end);
  const entry: Entry = {
    receipt: toReceipt(call, end),
    args: call.call?.args ?? call.frame.message.params?.['arguments'] ?? {},
    ...(settlement !== undefined && { settlement }),
  };
  const draws = call.held?.draws ?? [];
  const computeSeconds = (now() - call.startedAt) / 1000;
  const { id } = entry.receipt;
  const isKept = (): Promise<boolean> =>
    ledger.store.transaction(async (tx) => (await tx.find('receipt_log', { id })) !== undefined);
  const write = (): void | Promise<void> => {
    if (draws.length === 0) return ledger.record(entry);
    return ledger.store.transaction(async (tx) => {
      // A question back has used nothing yet; whoever goes on with it draws again.
      if (!end.sent || asksBack(call.attempted)) await budgets.release(draws, tx);
      else {
        await budgets.settle(draws, { computeSeconds }, tx);
      }
      await ledger.record(entry, tx);
    });
  };
  const writeOnce = async (): Promise<void> => ((await isKept()) ? undefined : write());
  return (isRetry) => (isRetry ? writeOnce() : write());
}

function toSettlement(
  { held, attempted, call, inDoubt }: RunningCall,
  end: LifeEnd,
): Settlement | undefined {
  if (held?.key === undefined || call === undefined) return undefined;
  const base = { held: held.key.held, rules: held.key.rules, outcome: '' };
  // A question back says nothing about an earlier attempt that was lost.
  if (asksBack(attempted) && inDoubt) return { ...base, kind: 'doubt' };
  if (!end.sent || asksBack(attempted)) return { ...base, kind: 'release' };
  if (attempted?.kind !== 'answer') {
    const isRefused = attempted?.kind === 'failure' && attempted.outcome === 'failed';
    return { ...base, kind: isRefused ? 'release' : 'doubt' };
  }
  const { error } = attempted.frame.message;
  // A protocol error does not prove that there was no effect.
  if (error !== undefined) return { ...base, kind: 'doubt' };
  const outcome = encodeOutcome(toStored(call, attempted.frame));
  return { ...base, kind: 'succeeded', outcome };
}

/** What a replay will answer: never a secret that was shown once. */
function toStored({ effect, tool }: GateCall, frame: Frame): StoredOutcome {
  const { result = null } = frame.message;
  if (!someTier(effect, (tier) => tier.issuesSecrets) && effect.secrets.length === 0) {
    return { kind: 'result', result, text: textAt(frame, ['result']) };
  }
  const text =
    'This call ran before. Its result may hold a one-time secret, was delivered then and is not stored.';
  // A client validates anything but an error against the output schema.
  const isError = tool.definition['outputSchema'] !== undefined;
  const notice = { content: [{ type: 'text', text }], ...(isError && { isError }) };
  return { kind: 'result', result: notice };
}
