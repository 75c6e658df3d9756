/**
 * Asks the client in the middle of a call: a person to open an address, or its model to write. In
 * 2026-07-28 the call ends with the question and comes again; in the older revisions it waits.
 */
import type {
  ClientCapabilities,
  CreateMessageRequestParams,
  InputRequiredResult,
} from '@modelcontextprotocol/server';
import {
  CLIENT_CAPABILITIES_META_KEY,
  inputRequired,
  inputResponse,
} from '@modelcontextprotocol/server';
import type { Call } from 'plimsoll/server';
import * as z from 'zod';

export type Asked<T> =
  /** Return this as the answer of the call; it comes again with `state`. */
  | { readonly kind: 'ask'; readonly result: InputRequiredResult }
  | { readonly kind: 'answered'; readonly answer: T; readonly state?: string }
  /** The client cannot be asked. */
  | { readonly kind: 'nobody' };

const KEY = 'answer';

/** What the client answered in this call, if it came again with an answer. */
function answerIn(call: Call) {
  const answer = inputResponse(call.mcp?.mcpReq.inputResponses, KEY);
  const state: unknown = call.mcp?.mcpReq.requestState();
  return { answer, ...(typeof state === 'string' && { state }) };
}

/** The state of a call that comes again with the answer of a person. */
export function stateOf(call: Call): string | undefined {
  const { answer, state } = answerIn(call);
  return answer.kind === 'elicit' ? state : undefined;
}

/** `undefined` in the older revisions, where it is not part of a request. */
function capabilitiesOf({ mcp }: Call): ClientCapabilities | undefined {
  const envelope = mcp?.mcpReq.envelope as Readonly<Record<string, ClientCapabilities>> | undefined; // checked by the SDK
  return envelope?.[CLIENT_CAPABILITIES_META_KEY];
}

export interface AddressQuestion {
  readonly message: string;
  readonly url: string;
  /** Comes back with the answer, through the client. */
  readonly state: string;
}

/** `true` when the person agreed to open the address. */
export async function askToOpen(
  call: Call,
  { message, url, state }: AddressQuestion,
): Promise<Asked<boolean>> {
  const earlier = answerIn(call);
  if (earlier.answer.kind === 'elicit' && earlier.state !== undefined) {
    const isYes = earlier.answer.action === 'accept';
    return { kind: 'answered', answer: isYes, state: earlier.state };
  }
  if (call.mcp === undefined) return { kind: 'nobody' };
  const declared = capabilitiesOf(call);
  if (declared !== undefined) {
    if (declared.elicitation?.url === undefined) return { kind: 'nobody' };
    const inputRequests = { [KEY]: inputRequired.elicitUrl({ message, url }) };
    return { kind: 'ask', result: inputRequired({ inputRequests, requestState: state }) };
  }
  const params = { mode: 'url', message, url, elicitationId: state };
  const answer = await tryAsking(() =>
    call.mcp?.mcpReq.send({ method: 'elicitation/create', params }, { signal: call.signal }),
  );
  const read = z.object({ action: z.string() }).safeParse(answer);
  if (!read.success) return { kind: 'nobody' };
  return { kind: 'answered', answer: read.data.action === 'accept', state };
}

const Written = z.object({ content: z.object({ type: z.literal('text'), text: z.string() }) });

export async function askToWrite(
  call: Call,
  params: CreateMessageRequestParams,
): Promise<Asked<string>> {
  const earlier = answerIn(call);
  if (earlier.answer.kind === 'sampling') {
    const read = Written.safeParse(earlier.answer.result);
    return read.success ? { kind: 'answered', answer: read.data.content.text } : { kind: 'nobody' };
  }
  if (call.mcp === undefined) return { kind: 'nobody' };
  const declared = capabilitiesOf(call);
  if (declared !== undefined) {
    if (declared.sampling === undefined) return { kind: 'nobody' };
    const inputRequests = { [KEY]: inputRequired.createMessage(params) };
    return { kind: 'ask', result: inputRequired({ inputRequests }) };
  }
  const answer = await tryAsking(() =>
    call.mcp?.mcpReq.send(
      { method: 'sampling/createMessage', params: { ...params } },
      { signal: call.signal },
    ),
  );
  const read = Written.safeParse(answer);
  return read.success ? { kind: 'answered', answer: read.data.content.text } : { kind: 'nobody' };
}

/** A client that cannot be asked refuses, and so does one without a stream to be asked on. */
async function tryAsking(ask: () => Promise<unknown> | undefined): Promise<unknown> {
  try {
    return await ask();
  } catch {
    return undefined;
  }
}
