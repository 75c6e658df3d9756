/**
 * The gate as a library: wraps the transport of a client so that its tool calls are decided on, asked
 * about, run and recorded like those at the process. For messages that are objects already; nothing is
 * left out of them that the SDK does not leave out itself.
 */
import { randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import type { Mode } from '../effect/effect.ts';
import type { Principal } from '../effect/operation.ts';
import { openSweeper } from '../ledger/idempotency/sweeper.ts';
import type { OpenLedger } from '../ledger/open-ledger.ts';
import type { Approval } from './approvals/approval.ts';
import type { Policy } from './policy/policy.ts';
import type { AskChannel } from './policy/verdict.ts';
import { DEFAULT_POLICY } from './policy/policy.ts';
import { openGate } from './call/open-gate.ts';
import { Refusals } from './call/refusals.ts';
import { openServices, toContext } from './open-services.ts';
import { openPins } from './tools/pins.ts';
import type { ConfiguredSlot } from './tools/key-slot.ts';
import { toFailureFrame, toRefusalFrame, isId, isResponse } from './protocol/frame.ts';
import type { Caller, Frame } from './protocol/frame.ts';
import { InFlight } from './protocol/in-flight.ts';
import { readClientFrame } from './protocol/read-frame.ts';
import { TransportChannel } from './upstream/sdk-transport.ts';

export interface GateTransportOptions {
  /** How the server is called in rules, pins and records. */
  readonly server: string;
  readonly ledger: OpenLedger;
  /** Default: reads run, what costs, deletes or discloses asks. */
  readonly policy?: Policy;
  /** Believe what the server says of its own tools. */
  readonly trusted?: boolean;
  readonly mode?: Mode;
  /** Default: the user of this process. */
  readonly principal?: Principal;
  /** The file of the pins. */
  readonly lock?: string;
  readonly idempotency?: ConfiguredSlot;
  /**
   * Puts a question before a person, by the channels that the policy allows. Called each time that the
   * call waits, so that the same question can come more than once.
   */
  readonly announce?: (approval: Approval, channels: readonly AskChannel[]) => void;
  readonly report?: (message: string, cause?: unknown) => void;
}

export function gateTransport(transport: Transport, options: GateTransportOptions): Transport {
  const { server, ledger, policy = DEFAULT_POLICY, trusted, mode, lock, idempotency } = options;
  const report = options.report ?? (() => {});
  const services = openServices({
    ledger,
    policy,
    ...(options.announce !== undefined && { announce: options.announce }),
    report,
  });
  const context = toContext(services, {
    server,
    ...(trusted !== undefined && { trusted }),
    ...(mode !== undefined && { mode }),
    ...(lock !== undefined && { pins: openPins(lock) }),
    ...(idempotency !== undefined && { idempotency }),
  });
  const caller: Caller = {
    principal: options.principal ?? { id: userInfo().username, scopes: [] },
    session: randomUUID(),
    via: 'mcp-stdio',
  };
  const inner = new TransportChannel(transport, { report });
  const gate = openGate(inner, context);
  const refusals = new Refusals(services);
  const inFlight = new InFlight(() => {});
  let isClosed = false;
  /** Calls that another process left in flight are found by whoever uses the ledger. */
  let sweeper: AsyncDisposable | undefined;
  const outer: Transport = {
    start: () => {
      sweeper = openSweeper(ledger.store, { report, rules: ledger.keyRecords.rules });
      return transport.start();
    },
    close: async () => {
      await gate[Symbol.asyncDispose]();
      await services.recorder.close();
      await sweeper?.[Symbol.asyncDispose]();
    },
    send: async (message, sendOptions) => {
      if (isClosed) throw new Error('The transport is closed.');
      const read = readClientFrame(Buffer.from(JSON.stringify(message)), caller);
      if (read.kind === 'frame') {
        inner.remember(read.frame, sendOptions);
        inFlight.see(read.frame);
        gate.send(read.frame);
        return;
      }
      const refusal = toRefusalFrame(read.id, read.problem);
      if (read.isResponse) gate.send({ ...refusal, caller });
      else {
        refusals.message({ caller, problem: read.problem, calls: read.calls });
        throw new TypeError(read.problem.detail);
      }
    },
    get sessionId() {
      return transport.sessionId;
    },
    setProtocolVersion: (version) => transport.setProtocolVersion?.(version),
    setSupportedProtocolVersions: (versions) => transport.setSupportedProtocolVersions?.(versions),
  };
  // A transport of the SDK takes its listeners as properties.
  Object.assign(transport, { onerror: (error: Error) => outer.onerror?.(error) });
  gate.listen({
    frame: (frame) => {
      const { id } = frame.message;
      if (isResponse(frame) && isId(id)) {
        const isCancelled = inFlight.isCancelled(id);
        inFlight.settle(id);
        if (isCancelled) return;
      }
      outer.onmessage?.(toMessage(frame));
    },
    failed: (id, failure) => {
      const isWanted = inFlight.isWanted(id);
      inFlight.settle(id);
      // Whoever cancelled expects no answer.
      if (isWanted) outer.onmessage?.(toMessage(toFailureFrame(id, failure)));
    },
    renewed: () => {},
    closed: () => {
      isClosed = true;
      void sweeper?.[Symbol.asyncDispose]();
      outer.onclose?.();
    },
  });
  return outer;
}

/** An answer from what was kept may exist as bytes only. */
function toMessage({ bytes, message }: Frame): JSONRPCMessage {
  const { method, result, error } = message;
  const isRead = method !== undefined || result !== undefined || error !== undefined;
  const value: unknown = isRead ? message : JSON.parse(Buffer.from(bytes).toString('utf8'));
  return { jsonrpc: '2.0', ...(value as object) } as JSONRPCMessage; // a message, or made here as one
}
