/** What a client does, step by step, as data: every client runs the same scripts. */
import type { JsonObject } from './fixture-world.ts';

export interface Step {
  readonly name: string;
  readonly request?: string;
  readonly notify?: string;
  /** `{key}` and `{marker}` are other texts in every run. */
  readonly params?: JsonObject;
  /** The name of the tool is not told apart by its server, where there are several. */
  readonly plain?: true;
  /** The client asks to be told how far the request is. */
  readonly progress?: true;
  /** Cancelled as soon as the first progress has arrived. */
  readonly cancel?: true;
  /** Some clients wait for an answer that cannot come. */
  readonly mayHang?: true;
  /** How many notifications of each method must arrive before the next step. */
  readonly awaits?: Readonly<Record<string, number>>;
  /** Opens a subscription of 2026, or ends it. */
  readonly listen?: JsonObject;
  readonly unlisten?: true;
  /** Waits until a server that stopped can be reached again. */
  readonly recover?: true;
  /** The Inspector can do it, too. */
  readonly inspector?: true;
}

export interface Script {
  readonly name: string;
  readonly era?: '2025' | '2026';
  /** Needs a connection of its own, because the server ends. */
  readonly alone?: true;
  readonly steps: readonly Step[];
}

function call(tool: string, args: JsonObject = {}, more: Partial<Step> = {}): Step {
  const params = { name: tool, arguments: args };
  return { name: tool, request: 'tools/call', ...more, params: { ...params, ...more.params } };
}

const CLI = { inspector: true } as const;
const NOTE = 'note://1';
const UPDATED = { 'notifications/resources/updated': 1 };
const LIST_CHANGED = { 'notifications/tools/list_changed': 1 };
const LARGE = 1_200_000;
/** Raw clients spell these arguments in another way than JavaScript does; the server tells how they arrived. */
export const SPELLING = ['{"b":"x","a":1}', String.raw`{"b" : "\u0078", "a":1.0}`] as const;

const SCRIPTS: readonly Script[] = [
  {
    name: 'lists',
    steps: [
      { name: 'tools', request: 'tools/list', ...CLI },
      { name: 'tools, next page', request: 'tools/list', params: { cursor: 'at-6' } },
      { name: 'tools, last page', request: 'tools/list', params: { cursor: 'at-24' } },
      { name: 'tools, invalid cursor', request: 'tools/list', params: { cursor: 'nowhere' } },
      { name: 'resources', request: 'resources/list' },
      { name: 'resources, last page', request: 'resources/list', params: { cursor: 'at-2' } },
      { name: 'templates', request: 'resources/templates/list' },
      { name: 'prompts', request: 'prompts/list' },
    ],
  },
  {
    name: 'calls',
    steps: [
      call('get_echo', { text: 'Zażółć 🦊 \u2028 "quoted"' }),
      call('get_arguments', { b: 'x', a: 1 }),
      call('get_meta', {}, { params: { _meta: { 'example.com/mine': { kept: true } } } }),
      call('get_spelled'),
      call('get_structured', {}, CLI),
      call('get_content'),
      call('create_note', { text: 'one' }),
      call('place_order', { item: 'map' }),
      call(
        'place_order',
        { item: 'map', idempotency_key: '{key}' },
        { name: 'place_order, own key' },
      ),
    ],
  },
  {
    name: 'large',
    steps: [
      call('get_large', { bytes: LARGE }, CLI),
      call('get_length', { text: 'ab'.repeat(LARGE / 2) }),
    ],
  },
  {
    name: 'refusals',
    steps: [
      call('get_failure'),
      call('get_error', {}, CLI),
      call('get_nothing', {}, { name: 'unknown tool' }),
      call('get_echo', { text: 'x' }, { name: 'a name without a server', plain: true }),
      { name: 'no tool', request: 'tools/call', params: { arguments: {} } },
      { name: 'unknown method', request: 'example/unknown', params: { a: 1 } },
      {
        name: 'unknown resource',
        request: 'resources/read',
        params: { uri: 'note://none' },
      },
      { name: 'unknown prompt', request: 'prompts/get', params: { name: 'none' } },
    ],
  },
  {
    name: 'resources, prompts, completion',
    steps: [
      { name: 'text', request: 'resources/read', params: { uri: NOTE } },
      { name: 'bytes', request: 'resources/read', params: { uri: 'note://2' } },
      { name: 'by template', request: 'resources/read', params: { uri: 'note://by-id/7' } },
      {
        name: 'prompt',
        request: 'prompts/get',
        params: { name: 'greet', arguments: { who: 'Ada' } },
        ...CLI,
      },
      {
        name: 'completion of a prompt',
        request: 'completion/complete',
        params: {
          ref: { type: 'ref/prompt', name: 'greet' },
          argument: { name: 'who', value: 'ad' },
        },
      },
      {
        name: 'completion of a template',
        request: 'completion/complete',
        params: {
          ref: { type: 'ref/resource', uri: 'note://by-id/{id}' },
          argument: { name: 'id', value: 'g' },
        },
      },
    ],
  },
  {
    name: 'progress and cancel',
    steps: [
      call('get_counts', { reset: true }, { name: 'reset' }),
      call('get_progress', { steps: 3 }, { progress: true }),
      call('get_progress', { steps: 2 }, { name: 'progress that nobody wants' }),
      call('get_slow', {}, { progress: true, cancel: true }),
      call('get_counts', { cancelled: 1 }),
      call('get_echo', { text: 'still there' }),
    ],
  },
  {
    name: 'questions',
    steps: [call('ask_elicitation'), call('ask_sampling'), call('ask_roots')],
  },
  {
    name: 'pings and roots',
    era: '2025',
    steps: [
      call('get_counts', { reset: true }, { name: 'reset' }),
      { name: 'ping', request: 'ping' },
      call('ask_ping'),
      { name: 'roots changed', notify: 'notifications/roots/list_changed' },
      call('get_counts'),
    ],
  },
  {
    name: 'logging',
    era: '2025',
    steps: [
      call('get_logged', {}, { awaits: { 'notifications/message': 4 } }),
      { name: 'level', request: 'logging/setLevel', params: { level: 'warning' } },
      call('get_logged', {}, { name: 'from the level on', awaits: { 'notifications/message': 2 } }),
    ],
  },
  {
    name: 'logging',
    era: '2026',
    steps: [
      call('get_logged'),
      call(
        'get_logged',
        {},
        {
          name: 'from the level on',
          params: { _meta: { 'io.modelcontextprotocol/logLevel': 'warning' } },
          awaits: { 'notifications/message': 2 },
        },
      ),
    ],
  },
  {
    name: 'subscriptions',
    era: '2025',
    steps: [
      { name: 'subscribe', request: 'resources/subscribe', params: { uri: NOTE } },
      call('update_note', { uri: NOTE }, { awaits: UPDATED }),
      call('update_note', { uri: 'note://3' }, { name: 'another note' }),
      { name: 'unsubscribe', request: 'resources/unsubscribe', params: { uri: NOTE } },
      call('update_note', { uri: NOTE }, { name: 'not any more' }),
      call('update_tools', { extra: true }, { awaits: LIST_CHANGED }),
      call('get_extra'),
      { name: 'the new list', request: 'tools/list', params: { cursor: 'at-24' } },
      call('update_tools', { extra: false }, { name: 'gone again', awaits: LIST_CHANGED }),
      call('get_extra', {}, { name: 'a tool that is gone' }),
    ],
  },
  {
    name: 'subscriptions',
    era: '2026',
    steps: [
      { name: 'listen', listen: { toolsListChanged: true, resourceSubscriptions: [NOTE] } },
      call('update_note', { uri: NOTE }, { awaits: UPDATED }),
      call('update_note', { uri: 'note://3' }, { name: 'another note' }),
      call('update_tools', { extra: true }, { awaits: LIST_CHANGED }),
      call('get_extra'),
      call('update_tools', { extra: false }, { name: 'gone again', awaits: LIST_CHANGED }),
      call('get_extra', {}, { name: 'a tool that is gone' }),
      { name: 'end', unlisten: true },
      call('update_note', { uri: NOTE }, { name: 'not any more' }),
    ],
  },
  {
    name: 'stopped idle',
    alone: true,
    steps: [
      call('stop_soon'),
      { name: 'recover', recover: true },
      call('get_echo', { text: 'after it' }, { mayHang: true }),
      { name: 'tools', request: 'tools/list', mayHang: true },
    ],
  },
  {
    name: 'stopped in a read',
    alone: true,
    steps: [
      call('get_after_stop', { marker: '{marker}' }, { mayHang: true }),
      { name: 'recover', recover: true },
      call('get_echo', { text: 'after it' }, { mayHang: true }),
    ],
  },
  {
    name: 'stopped in a write',
    alone: true,
    steps: [
      call('stop_now', {}, { mayHang: true }),
      { name: 'recover', recover: true },
      call('get_echo', { text: 'after it' }, { mayHang: true }),
    ],
  },
];

export function scriptsOf(era: '2025' | '2026'): readonly Script[] {
  return SCRIPTS.filter((script) => script.era === undefined || script.era === era);
}
