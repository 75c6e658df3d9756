/**
 * What would happen to a call: the gate's own inferred effect and verdict, without a call. Nothing is
 * sent.
 */
import type { Effect } from '../../effect/effect.ts';
import type { KnownTool } from '../../gate/tools/tool-book.ts';
import { toCall } from '../../gate/call/read-call.ts';
import { decide } from '../../gate/policy/decide.ts';
import type { CallFacts, Verdict } from '../../gate/policy/verdict.ts';
import type { Caller, JsonObject } from '../../gate/protocol/frame.ts';
import { toFrame } from '../../gate/protocol/frame.ts';
import { isObject } from '../../gate/protocol/read-frame.ts';
import type { Problem } from '../../lib/problem.ts';
import { toProblem } from '../../lib/problem.ts';
import { parseStrictJson } from '../../lib/strict-json.ts';
import type { ConsoleServices, ServerView } from '../console-services.ts';
import type { Pins } from '../../gate/tools/pins.ts';
import { ToolBook, openJudge } from '../../gate/tools/tool-book.ts';
import type { JsonValue } from '../../lib/json-value.ts';

export interface Question {
  readonly server: string;
  readonly tool: string;
  /** JSON; empty for none. */
  readonly argumentsText: string;
  /** Who would call; rules may depend on it. */
  readonly principal: string;
  /** As if an equal call had been made shortly before. */
  readonly repeated: boolean;
}

export type WhatIf =
  | {
      readonly kind: 'verdict';
      readonly verdict: Verdict;
      readonly tool: KnownTool;
      /** For these arguments. */
      readonly effect: Effect;
    }
  | { readonly kind: 'problem'; readonly problem: Problem };

type Sources = Pick<ConsoleServices, 'servers' | 'policy' | 'pins' | 'now'>;

export function whatIf({ servers, policy, pins, now }: Sources, question: Question): WhatIf {
  const server = servers().find(({ name }) => name === question.server);
  if (server === undefined)
    return problem('not-found', 'No server with that name is behind the gate.');
  pins?.check(server.name, server.tools); // so that the current lock is used
  const tool = findKnownTool(server, question.tool, pins);
  if (tool === undefined)
    return problem('tool-not-listed', 'The server does not list this tool now.');
  const args = readArguments(question.argumentsText);
  if (args.kind === 'problem') return args;
  const principal = { id: question.principal, scopes: [] };
  const caller: Caller = { principal, session: '', via: 'mcp-stdio' };
  const params = { name: tool.name, arguments: args.value };
  const frame = { ...toFrame({ id: 1, method: 'tools/call', params }), caller };
  const { effect, confidence, reasons } = toCall(frame, tool, now()) ?? tool.inferred;
  const facts = toCallFacts(server, tool, {
    effect,
    confidence,
    reasons,
    arguments: args.value,
    principal,
    repeated: question.repeated,
  });
  return { kind: 'verdict', verdict: decide(policy, facts), tool, effect };
}

function readArguments(
  text: string,
): { readonly kind: 'arguments'; readonly value: JsonObject } | (WhatIf & { kind: 'problem' }) {
  const json = parseStrictJson(text.trim() === '' ? '{}' : text);
  if (json.kind === 'refused') return problem('malformed-json', json.detail);
  if (isObject(json.value)) return { kind: 'arguments', value: json.value };
  return problem(
    'invalid-request',
    'The arguments are not an object.',
    'Write the arguments as one JSON object.',
  );
}

function problem(
  code: Problem['code'],
  detail: string,
  remedy?: string,
): WhatIf & { kind: 'problem' } {
  return {
    kind: 'problem',
    problem: toProblem(code, detail, remedy === undefined ? {} : { remedy }),
  };
}

/** The facts of a hypothetical call, for the same verdict that a real one would get. */
export type ImaginedCall = Pick<
  CallFacts,
  'effect' | 'confidence' | 'reasons' | 'arguments' | 'principal' | 'repeated'
>;

export function toCallFacts(server: ServerView, tool: KnownTool, call: ImaginedCall): CallFacts {
  return {
    server: server.name,
    trusted: server.trusted,
    tool: tool.name,
    mode: server.mode,
    quarantined: tool.isQuarantined,
    declared: tool.isDeclared,
    ...call,
  };
}

/**
 * Entries without a name are ignored: they cannot be called. Of entries with the same name the last
 * counts.
 */
export function knownTools(server: ServerView, pins: Pins | undefined): readonly KnownTool[] {
  const book = openBook(server, pins);
  return book.definitions.flatMap(({ name }) => {
    const tool = typeof name === 'string' ? book.find(name) : undefined;
    return tool === undefined ? [] : [tool];
  });
}

export function findKnownTool(
  server: ServerView,
  name: string,
  pins: Pins | undefined,
): KnownTool | undefined {
  return openBook(server, pins).find(name);
}

function openBook({ name, trusted, tools }: ServerView, pins: Pins | undefined): ToolBook {
  const judge = openJudge({ server: name, trusted, ...(pins !== undefined && { pins }) });
  const book = new ToolBook(judge);
  book.learn({ tools: tools as readonly JsonValue[] }, undefined); // they were received as JSON
  return book;
}
