/**
 * Calls that no gate gets: their message cannot be read strictly, or names no server. Each leaves one
 * receipt without its arguments. What is no call is only reported, and neither grows with a flood.
 */
import { staysInside } from '../../effect/effect.ts';
import type { Receipt } from '../../ledger/receipt.ts';
import { newId } from '../../lib/new-id.ts';
import type { Problem } from '../../lib/problem.ts';
import { toProblem } from '../../lib/problem.ts';
import type { GateServices } from '../gate-services.ts';
import type { Caller, Frame } from '../protocol/frame.ts';
import type { RefusedMessage } from '../protocol/read-frame.ts';
import { toCalledTools } from '../protocol/read-frame.ts';
import type { Unrouted } from '../upstream/aggregate/handshake.ts';
import { guessEffect } from './end.ts';

/** Receipts that are being written at one time; more than that is a flood. */
const MOST_OPEN = 100;
const REPORT_EVERY_MS = 10_000;

interface Reason extends Pick<Receipt, 'outcome'> {
  readonly rule: string;
  /** Default: refused. */
  readonly decision?: Receipt['decision'];
}

/** Of a call that never reached the gate of a server. */
const UNROUTED: Readonly<Record<Unrouted, Reason>> = Object.freeze({
  unknown: { rule: 'aggregate', outcome: 'tool-not-listed' },
  unreachable: { rule: 'aggregate', outcome: 'unavailable' },
  invalid: { rule: 'invalid-request', outcome: 'invalid-request' },
  cancelled: { rule: 'aggregate', decision: 'cancelled', outcome: 'cancelled' },
  stopped: { rule: 'aggregate', decision: 'abandoned', outcome: 'gate-stopped' },
});

export class Refusals {
  readonly #services: GateServices;
  #open = 0;
  #reportedAt = Number.NEGATIVE_INFINITY;
  #unreported = 0;

  constructor(services: GateServices) {
    this.#services = services;
  }

  /** A message that was refused where it came in. */
  message({ caller, problem, calls }: RefusedMessage): void {
    if (calls.length === 0)
      this.#report(`a message could not be read and was refused: ${problem.detail}`);
    const reason = { rule: 'invalid-request', outcome: problem.code };
    for (const name of calls) this.#record(name, caller, reason);
  }

  /** A call for which there is no server. */
  unrouted({ caller, message }: Frame, why: Unrouted): void {
    for (const name of toCalledTools([message])) this.#record(name, caller, UNROUTED[why]);
  }

  #record(name: string, caller: Caller | undefined, reason: Reason): void {
    if (this.#open >= MOST_OPEN) {
      this.#report('a refused call was not recorded, since too many come at once');
      return;
    }
    this.#open += 1;
    const { ledger, now, recorder } = this.#services;
    const receipt = toReceipt(name, caller, reason, now());
    const written = recorder.keep(name, async () => ledger.record({ receipt, args: {} }), {
      didNothing: true,
    });
    void written.finally(() => {
      this.#open -= 1;
    });
  }

  #report(what: string): void {
    const { now, report } = this.#services;
    if (now() - this.#reportedAt < REPORT_EVERY_MS) {
      this.#unreported += 1;
      return;
    }
    const more =
      this.#unreported > 0 ? ` (and ${this.#unreported} more since the last report)` : '';
    this.#reportedAt = now();
    this.#unreported = 0;
    report(`${what}${more}`);
  }
}

/** While too many calls wait to be recorded, nothing more runs that may change something. */
export function toUnrecordable(): Problem {
  const detail = 'The ledger cannot be written to, and many calls wait for it. Nothing was run.';
  return toProblem('unavailable', detail, { retryAfter: 5 });
}

/** Of a message that is no call at a gate. */
export function toReceipt(
  operation: string,
  caller: Caller | undefined,
  { rule, outcome, decision = 'refused' }: Reason,
  now: number,
): Receipt {
  const { act, tier, reach } = guessEffect(operation);
  return {
    kind: 'receipt',
    id: newId(now),
    at: new Date(now).toISOString(),
    operation,
    act,
    tier,
    reach,
    effect: 'unknown',
    openWorld: !staysInside(reach),
    via: caller?.via ?? 'mcp-stdio',
    ...(caller !== undefined && { principal: caller.principal.id }),
    ...(caller?.principal.tenant !== undefined && { tenant: caller.principal.tenant }),
    decision,
    outcome,
    milliseconds: 0,
    rule,
    ...(decision === 'cancelled' && { sent: false }),
  };
}
