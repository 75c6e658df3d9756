/** What would become of a call: the gate's own reading and verdict, without a call. Nothing is sent. */
import type { Effect } from '../../effect/effect.ts';
import { decide } from '../../gate/decide/decide.ts';
import type { Verdict } from '../../gate/decide/verdict.ts';
import type { KnownTool } from '../../gate/gate-call.ts';
import { toCall } from '../../gate/read-call.ts';
import type { Caller, JsonObject } from '../../gate/wire/frame.ts';
import { toFrame } from '../../gate/wire/frame.ts';
import { isObject } from '../../gate/wire/read-frame.ts';
import type { Problem } from '../../lib/problem.ts';
import { toProblem } from '../../lib/problem.ts';
import { parseStrictJson } from '../../lib/strict-json.ts';
import type { ConsoleServices } from '../console-services.ts';
import { findKnownTool } from './known-tools.ts';
import { toCallFacts } from './to-call-facts.ts';

export interface Question {
  readonly server: string;
  readonly tool: string;
  /** JSON; empty for none. */
  readonly argumentsText: string;
  /** Who would call; rules may go by it. */
  readonly principal: string;
  /** As if an equal call had been made a short while ago. */
  readonly repeated: boolean;
}

export type WhatIf =
  | {
      readonly kind: 'verdict';
      readonly verdict: Verdict;
      readonly tool: KnownTool;
      /** Of these arguments. */
      readonly effect: Effect;
    }
  | { readonly kind: 'problem'; readonly problem: Problem };

type Sources = Pick<ConsoleServices, 'servers' | 'policy' | 'pins' | 'now'>;

export function whatIf({ servers, policy, pins, now }: Sources, question: Question): WhatIf {
  const server = servers().find(({ name }) => name === question.server);
  if (server === undefined)
    return problem('not-found', 'No server of that name is behind the gate.');
  pins?.check(server.name, server.tools); // so that the lock is seen as it is now
  const tool = findKnownTool(server, question.tool, pins);
  if (tool === undefined) return problem('tool-not-listed', 'The server lists no such tool now.');
  const args = readArguments(question.argumentsText);
  if (args.kind === 'problem') return args;
  const principal = { id: question.principal, scopes: [] };
  const caller: Caller = { principal, session: '', via: 'mcp-stdio' };
  const params = { name: tool.name, arguments: args.value };
  const frame = { ...toFrame({ id: 1, method: 'tools/call', params }), caller };
  const effect = toCall(frame, tool, now())?.effect ?? tool.reading.effect;
  const { repeated } = question;
  const facts = toCallFacts(server, tool, { effect, arguments: args.value, principal, repeated });
  return { kind: 'verdict', verdict: decide(policy, facts), tool, effect };
}

function readArguments(
  text: string,
): { readonly kind: 'arguments'; readonly value: JsonObject } | (WhatIf & { kind: 'problem' }) {
  const json = parseStrictJson(text.trim() === '' ? '{}' : text);
  if (json.kind === 'refused') return problem('malformed-json', json.detail);
  if (isObject(json.value)) return { kind: 'arguments', value: json.value };
  return problem('invalid-request', 'The arguments are not an object.');
}

function problem(code: Problem['code'], detail: string): WhatIf & { kind: 'problem' } {
  return { kind: 'problem', problem: toProblem(code, detail) };
}
