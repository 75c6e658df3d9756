/** What the fixture server lists. A server with another name than the first has one thing of each kind. */
import type { JsonObject } from './fixture-world.ts';

export const INSTRUCTIONS = 'Reads are free.\nOrders are not.';

interface Offer {
  readonly name: string;
  readonly hasExtraTool: boolean;
}

type Properties = Readonly<Record<string, JsonObject>>;

const TEXT = { type: 'string', description: 'Any text.' };
const FLAG = { type: 'boolean', description: 'Whether.' };
const NUMBER = { type: 'integer', description: 'Any number.' };

function tool(
  name: string,
  description: string,
  properties: Properties = {},
  more: JsonObject = {},
): JsonObject {
  return { name, description, inputSchema: { type: 'object', properties }, ...more };
}

const READ = { annotations: { readOnlyHint: true, openWorldHint: false } };

const TOOLS: readonly JsonObject[] = [
  tool('get_echo', 'Returns the text.', { text: TEXT }, READ),
  tool(
    'get_arguments',
    'Returns its arguments as they were spelled.',
    { a: NUMBER, b: TEXT },
    READ,
  ),
  tool('get_meta', 'Returns the metadata of the request.', {}, READ),
  tool(
    'get_spelled',
    'Returns JSON with a spelling of its own.',
    {},
    {
      ...READ,
      outputSchema: { type: 'object', properties: { ratio: { type: 'number' } } },
    },
  ),
  tool(
    'get_structured',
    'Returns a structure.',
    {},
    {
      ...READ,
      title: 'Get a Structure',
      outputSchema: {
        type: 'object',
        properties: { count: { type: 'integer' } },
        required: ['count'],
      },
      _meta: { 'example.com/unknown': [1.5] },
      icons: [{ src: 'https://example.invalid/icon.png', sizes: ['48x48'] }],
    },
  ),
  tool('get_content', 'Returns every kind of content.', {}, READ),
  tool('get_large', 'Returns much text.', { bytes: NUMBER }, READ),
  tool('get_length', 'Returns the length of the text.', { text: TEXT }, READ),
  tool('get_failure', 'Fails.', {}, READ),
  tool('get_error', 'Answers with an error of the protocol.', {}, READ),
  tool(
    'get_counts',
    'Returns what the server has counted.',
    { reset: FLAG, cancelled: NUMBER },
    READ,
  ),
  tool('get_progress', 'Reports progress.', { steps: NUMBER }, READ),
  tool('get_logged', 'Logs at four levels.', {}, READ),
  tool('get_slow', 'Takes long.', {}, READ),
  tool('get_after_stop', 'Crashes the first time.', { marker: TEXT }, READ),
  tool('create_note', 'Adds a note.', { text: TEXT }),
  tool('place_order', 'Places an order and charges the account.', {
    item: TEXT,
    idempotency_key: TEXT,
  }),
  tool('update_note', 'Updates a note.', { uri: TEXT }),
  tool('update_tools', 'Updates the list of tools.', { extra: FLAG }),
  tool('stop_soon', 'Stops the server after its answer.'),
  tool('stop_now', 'Stops the server instead of an answer.'),
  tool('ask_elicitation', 'Asks the user for a name.'),
  tool('ask_sampling', 'Asks the model for a city.'),
  tool('ask_roots', 'Asks for the roots.'),
  tool('ask_ping', 'Asks whether the client is there.'),
];

const EXTRA = tool('get_extra', 'Is not always there.', {}, READ);

export function toolsOf({ name, hasExtraTool }: Offer): readonly JsonObject[] {
  if (name !== 'alpha') return [tool('get_beta', 'Is of the other server.', {}, READ)];
  return hasExtraTool ? [...TOOLS, EXTRA] : TOOLS;
}

export function RESOURCES(name: string): readonly JsonObject[] {
  if (name !== 'alpha') return [{ uri: 'other://1', name: 'other' }];
  return [
    { uri: 'note://1', name: 'one', mimeType: 'text/plain', description: 'The first.' },
    { uri: 'note://2', name: 'two', mimeType: 'image/png', size: 4 },
    { uri: 'note://3', name: 'three', title: 'The Third' },
  ];
}

export function TEMPLATES(name: string): readonly JsonObject[] {
  if (name !== 'alpha') return [];
  return [{ uriTemplate: 'note://by-id/{id}', name: 'by id', description: 'A note by its id.' }];
}

export function PROMPTS(name: string): readonly JsonObject[] {
  const argument = { name: 'who', description: 'Whom.', required: true };
  if (name !== 'alpha') return [{ name: 'other', description: 'Of the other server.' }];
  return [{ name: 'greet', description: 'A greeting.', arguments: [argument] }];
}
