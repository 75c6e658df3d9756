/** First step, identify: finds the tool that is called, loading the server's list if need be, and decides on the call. */
import type { JsonValue } from '../../lib/json-value.ts';
import { toProblem } from '../../lib/problem.ts';
import { CODES } from '../protocol/envelope.ts';
import { toFailureProblem } from '../protocol/frame.ts';
import { findFalseHeader } from '../protocol/param-headers.ts';
import { isObject } from '../protocol/read-frame.ts';
import type { KnownTool } from '../tools/tool-book.ts';
import { toCachedAnswer, toProtocolError, toStoredAnswer } from './answers.ts';
import { findBeforeRead } from './find-before.ts';
import { askUnpriced, isUnpriced, toEstimate } from './price.ts';
import type { GateCall } from './read-call.ts';
import { toCall } from './read-call.ts';
import type { RunningCall } from './running-call.ts';
import type { Weighed } from './weigh.ts';
import { weighCall, weighPlain } from './weigh.ts';

/** In the same turn of the loop where the tool is known and nothing but the policy has a say. */
export function identifyCall(call: RunningCall): void {
  // A question about what the tool was before lets nothing run, and the receipt must not name it.
  call.permit = undefined;
  call.approval = undefined;
  const { tools } = call.host;
  const tool = tools.find(call.name);
  if (tool !== undefined) return weigh(call, tool);
  if (!tools.needsList(call.name)) return refuseUnlisted(call);
  return call.later(tools.load(call.frame), (trouble) => {
    if (trouble?.kind === 'failure') {
      // What was lost is the request for the list; the call itself was never sent.
      const failure = { ...trouble.failure, kind: 'not-sent' } as const;
      call.rule = 'tool-list';
      const problem = call.toTrue(toFailureProblem(failure));
      call.own = {
        frame: toProtocolError(call.id, CODES.internal, problem),
        outcome: problem.code,
      };
      return call.on({ kind: 'refused' });
    }
    const found = tools.find(call.name);
    return found === undefined ? refuseUnlisted(call) : weigh(call, found);
  });
}

/** Nothing that the server does not list is sent to it. */
function refuseUnlisted(call: RunningCall): void {
  const problem = toProblem('tool-not-listed', 'The server lists no tool of this name.');
  call.rule = 'tool-list';
  call.own = {
    frame: toProtocolError(call.id, CODES.invalidParams, call.toTrue(problem)),
    outcome: problem.code,
  };
  call.on({ kind: 'refused' });
}

function weigh(call: RunningCall, tool: KnownTool): void {
  const { context } = call.host;
  // Through another tool, one that is held back is as unknown as one that is not listed.
  const find = (name: string): KnownTool | undefined => {
    const known = call.host.tools.find(name);
    return known?.isQuarantined === true ? undefined : known;
  };
  const read = toCall(call.frame, tool, call.startedAt, find);
  if (read === undefined) {
    return call.refuse('caller', toProblem('invalid-request', 'The caller is unknown.'));
  }
  call.call = read;
  const falseHeader = findStrayHeader(read);
  if (falseHeader !== undefined) {
    const problem = toProblem('invalid-request', `${falseHeader} does not repeat its argument.`, {
      remedy: 'Send the header and the argument with the same value.',
    });
    call.rule = 'headers';
    call.own = {
      frame: toProtocolError(call.id, CODES.headerMismatch, problem),
      outcome: problem.code,
    };
    return call.on({ kind: 'refused' });
  }
  const plain = weighPlain(read, context);
  if (plain !== undefined) return take(call, plain, true);
  return call.later(weighCall(read, context, call.isAlike), (weighed) =>
    take(call, weighed, false),
  );
}

/** Somebody between client and gate may have decided on the headers alone. */
function findStrayHeader({ caller, tool, args }: GateCall): string | undefined {
  const { headers } = caller;
  const schema = tool.definition['inputSchema'];
  return headers && isObject(schema) ? findFalseHeader(schema, args, headers) : undefined;
}

function take(call: RunningCall, weighed: Weighed, plain: boolean): void {
  switch (weighed.kind) {
    case 'refused':
      return call.refuse(weighed.rule, weighed.problem);
    case 'replay':
      call.rule = weighed.rule;
      call.keyRecord = weighed.held.id;
      call.replayed = weighed.held;
      call.own = toStoredAnswer(toAnswerTarget(call), weighed.outcome);
      return call.on({ kind: 'known', as: 'replayed' });
    case 'cached':
      call.rule = weighed.rule;
      call.own = { frame: toCachedAnswer(call, weighed.result), outcome: 'success' };
      return call.on({ kind: 'known', as: 'cached' });
    case 'allow': {
      const { rule, terms } = weighed.verdict;
      call.weighed = weighed;
      call.rule = rule;
      call.permit = { rule, terms, basis: { kind: 'policy' } };
      // Nobody is asked, but a budget of money must know the amount.
      const counts = !plain && terms.budgets.some((budget) => budget.counts === 'money');
      const priced = counts && canEstimate(call);
      if (!priced && isUnpriced(call)) return askUnpriced(call);
      return call.on({ kind: 'allowed', plain, priced });
    }
    case 'ask': {
      const { rule } = weighed.verdict;
      call.weighed = weighed;
      call.rule = rule;
      if (call.call !== undefined && hasMoreValues(call.call.args, MOST_SHOWN)) {
        const detail = 'It has more values than a person can look through.';
        return call.refuse(rule, toProblem('payload-too-large', detail, { limit: MOST_SHOWN }));
      }
      if (call.purpose === undefined) {
        const estimates = canEstimate(call);
        return call.on({ kind: 'must-ask', priced: canReadBefore(call) || estimates });
      }
      const detail =
        'A person would have to be asked about it, and the gate itself has asked for it.';
      return call.refuse(rule, toProblem('nobody-to-ask', detail));
    }
  }
}

/** Of single values on a card; a list of more is not read by anybody. */
const MOST_SHOWN = 10_000;

function hasMoreValues(args: JsonValue, most: number): boolean {
  let count = 0;
  const waiting: JsonValue[] = [args];
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    const parts: readonly JsonValue[] = Array.isArray(value) ? value : Object.values(value);
    count += parts.length;
    if (count > most) return true;
    for (const part of parts) waiting.push(part);
  }
  return false;
}

function canEstimate(call: RunningCall): boolean {
  const isOwn = call.purpose !== undefined;
  call.estimate = call.call && !isOwn ? toEstimate(call.call, call.host.tools) : undefined;
  return call.estimate !== undefined;
}

/** Only where the policy wants it: it is one more call of the server. */
function canReadBefore(call: RunningCall): boolean {
  const { weighed, call: read, host } = call;
  const isWanted = weighed?.kind === 'ask' && weighed.verdict.asking.readBefore;
  call.before = isWanted && read ? findBeforeRead(read, host.tools) : undefined;
  return call.before !== undefined;
}

/** What an answer of the gate's own depends on. */
export function toAnswerTarget({
  id,
  frame,
  call,
}: RunningCall): Parameters<typeof toStoredAnswer>[0] {
  return { id, frame, ...(call !== undefined && { tool: call.tool }) };
}
