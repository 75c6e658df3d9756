/** Messages of a client, most of them well formed, some with forged answers, states and ids. */
import type { JsonValue } from '../../src/lib/json-value.ts';
import type { JsonObject } from '../../src/gate/protocol/frame.ts';
import type { Chance } from './chance.ts';

/** What the client has seen of the gate and uses. */
export interface Seen {
  states: string[];
  ids: string[];
  isModern: boolean;
}

export const LOOKS: readonly string[] = ['get_note', 'list_notes', 'estimate_order'];
export const ASKING: readonly string[] = [
  'delete_note',
  'wipe_all',
  'place_order',
  'charge_card',
  'send_email',
  'create_share_link',
];
const UNLISTED = ['get_secret', '', 'get_note ', 'GET_NOTE', '__proto__', 'tools/call', 'toString'];

const METHODS = [
  'ping',
  'resources/list',
  'resources/read',
  'prompts/get',
  'completion/complete',
  'logging/setLevel',
  'tasks/get',
  'subscriptions/listen',
  'tools/call ',
  'Tools/Call',
  'tools//call',
  'tools/call\u0000',
  '__proto__',
  '',
];

const YES = { action: 'accept', content: { decision: 'approve once' } };

export function toClientMessage(chance: Chance, seen: Seen): JsonValue {
  switch (chance.below(20)) {
    case 0:
      return toRequest(chance, seen, 'initialize', {
        protocolVersion: chance.pick(['2025-11-25', '2024-11-05', '1', '']),
        capabilities: { elicitation: {} },
        clientInfo: { name: 'fuzz', version: '1' },
      });
    case 1:
      return toRequest(chance, seen, 'server/discover', {});
    case 2:
    case 3:
      return toRequest(
        chance,
        seen,
        'tools/list',
        chance.oneIn(4) ? { cursor: toOdd(chance) } : {},
      );
    case 4:
      return toAnswer(chance, seen);
    case 5:
      return { jsonrpc: '2.0', method: `notifications/${chance.pick(['initialized', 'x'])}` };
    case 6: {
      const params = { requestId: toId(chance, seen), reason: 'no' };
      return { jsonrpc: '2.0', method: 'notifications/cancelled', params };
    }
    case 7:
    case 8:
    case 9:
    case 10:
      return toRequest(chance, seen, chance.pick(METHODS), { uri: 'a:b', name: 'wipe_all' });
    case 11:
      return toCall(chance, seen, chance.pick(UNLISTED));
    case 12:
      return toCall(chance, seen, chance.pick(ASKING));
    case 13:
      return { jsonrpc: '2.0', method: 'tools/call', params: { name: chance.pick(ASKING) } };
    default:
      return toCall(chance, seen, chance.pick(LOOKS));
  }
}

function toCall(chance: Chance, seen: Seen, name: string): JsonValue {
  const args = chance.oneIn(6) ? toOdd(chance) : { id: chance.pick(['1', '2', '[REDACTED]']) };
  const forged = chance.oneIn(3)
    ? { requestState: toState(chance, seen), inputResponses: { 'plimsoll-approval': YES } }
    : {};
  return toRequest(chance, seen, 'tools/call', { name, arguments: args, ...forged });
}

function toRequest(chance: Chance, seen: Seen, method: string, params: JsonObject): JsonValue {
  const id = toId(chance, seen);
  const isModern = chance.oneIn(20) ? !seen.isModern : seen.isModern;
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': chance.oneIn(20) ? toOdd(chance) : '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
    'io.modelcontextprotocol/clientInfo': { name: 'fuzz', version: '1' },
    progressToken: id,
  };
  const meta = isModern ? { _meta } : chance.oneIn(8) ? { _meta: toOdd(chance) } : {};
  return { jsonrpc: '2.0', id, method, params: { ...params, ...meta } };
}

/** Answers to questions that were never asked, under ids that might be ours. */
function toAnswer(chance: Chance, seen: Seen): JsonValue {
  const id = chance.oneIn(2) ? toId(chance, seen) : `plimsoll-${'0'.repeat(16)}-${chance.below(9)}`;
  return { jsonrpc: '2.0', id, ...(chance.oneIn(5) ? { error: toOdd(chance) } : { result: YES }) };
}

/** Most ids are new; some are repeated, some are not valid ids. */
function toId(chance: Chance, seen: Seen): JsonValue {
  if (chance.oneIn(12)) return chance.pick([null, 1, 1.5, -1, '', '1', 1e300, true, {}]);
  if (chance.oneIn(12) && seen.ids.length > 0) return nudge(chance.pick(seen.ids), chance);
  return chance.oneIn(2) ? chance.below(1e9) : `c${chance.below(1e9)}`;
}

/** A state that we sent, with one letter changed, or one made up by the client. */
function toState(chance: Chance, seen: Seen): JsonValue {
  if (seen.states.length === 0 || chance.oneIn(4)) {
    const body = Buffer.from('{"approval":"1","continuation":"1","expires":9e15}');
    return chance.pick([`pls1.${body.toString('base64url')}.AAAA`, 'pls1..', '..', '', 'x', null]);
  }
  return nudge(chance.pick(seen.states), chance);
}

function nudge(text: string, chance: Chance): string {
  const at = chance.below(text.length);
  const other = text[at] === 'A' ? 'B' : 'A';
  return text.slice(0, at) + other + text.slice(at + 1);
}

const ODD: readonly JsonValue[] = [
  null,
  true,
  0,
  -0,
  1.5,
  1e308,
  2 ** 60,
  '',
  'x',
  '\u202e\u200b\u{e0041}',
  '\ud800',
  [],
  {},
  [[]],
  ['tools/call'],
  { name: 'wipe_all' },
  { '': {} },
];

export function toOdd(chance: Chance): JsonValue {
  if (chance.oneIn(300)) return 'long'.repeat(chance.below(50_000));
  if (!chance.oneIn(40)) return chance.pick(ODD);
  let deep: JsonValue = 1;
  for (let depth = chance.below(300); depth > 0; depth -= 1) {
    deep = chance.oneIn(2) ? [deep] : { d: deep };
  }
  return deep;
}
