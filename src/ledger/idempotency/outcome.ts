/**
 * The answer that a key record stores for replay: one format for the server kit, the gate and later
 * resolution. The caller must remove secrets before encoding.
 */
import type { ContentBlock } from '@modelcontextprotocol/server';
import type { JsonValue } from '../../lib/json-value.ts';
import { parseLossless } from '../../lib/lossless-json.ts';
import type { Problem } from '../../lib/problem.ts';

export type StoredOutcome =
  /** The value that an operation returned, or that was found out about it later. */
  | {
      readonly kind: 'success';
      readonly value?: unknown;
      readonly content?: readonly ContentBlock[];
    }
  | { readonly kind: 'failure'; readonly problem: Problem }
  /**
   * The result of `tools/call` as a server sent it. `text` is its JSON to the letter, because
   * numbers beyond 2^53 do not survive parsing; decoding always gives it.
   */
  | { readonly kind: 'result'; readonly result: JsonValue; readonly text?: string };

export type DecodedOutcome = StoredOutcome | { readonly kind: 'unreadable' };

export function encodeOutcome(outcome: StoredOutcome): string {
  if (outcome.kind !== 'result') return JSON.stringify(outcome);
  const text = outcome.text ?? JSON.stringify(outcome.result);
  return JSON.stringify({ kind: 'result', text });
}

/** Never throws: an outcome that cannot be read is one of the answers. */
export function decodeOutcome(text: string): DecodedOutcome {
  const stored = parse(text, parseLossless);
  return (isObject(stored) ? readOutcome(stored) : undefined) ?? UNREADABLE;
}

const UNREADABLE = Object.freeze({ kind: 'unreadable' });

function readOutcome(stored: Readonly<Record<string, unknown>>): StoredOutcome | undefined {
  const { kind, value, content, problem, text } = stored;
  switch (kind) {
    case 'success': {
      if (content !== undefined && !Array.isArray(content)) return undefined;
      return {
        kind,
        ...(value !== undefined && { value }),
        ...(content !== undefined && { content: content as readonly ContentBlock[] }), // ours
      };
    }
    case 'failure':
      return isProblem(problem) ? { kind, problem } : undefined;
    case 'result': {
      const result = typeof text === 'string' ? parse(text, JSON.parse) : undefined;
      if (typeof text !== 'string' || result === undefined) return undefined;
      return { kind, result: result as JsonValue, text }; // it was parsed from JSON
    }
    default:
      return undefined;
  }
}

function parse(text: string, read: (text: string) => unknown): unknown {
  try {
    return read(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isProblem(value: unknown): value is Problem {
  return (
    isObject(value) && typeof value['code'] === 'string' && typeof value['status'] === 'number'
  );
}
