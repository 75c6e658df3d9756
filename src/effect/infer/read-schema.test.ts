import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inferEffect } from './infer-effect.ts';

describe('parameters', () => {
  const asks = (name: string, properties: object): boolean =>
    inferEffect({ name, inputSchema: { type: 'object', properties } }).asks;

  it('are read inside others, and in lists and alternatives', () => {
    const recipients = { recipients: { type: 'array' } };
    expect(asks('create_thing', { title: {} })).toBe(false);
    expect(asks('create_thing', { options: { properties: recipients } })).toBe(true);
    expect(asks('create_thing', { all: { items: { properties: recipients } } })).toBe(true);
    expect(asks('create_thing', { x: { anyOf: [{ properties: recipients }] } })).toBe(true);
  });

  it('tell by their descriptions of what is run', () => {
    expect(asks('helper', { input: { description: 'Python code to execute' } })).toBe(true);
    expect(asks('helper', { input: { description: 'What to look for' } })).toBe(true);
    expect(asks('lookup', { input: { description: 'What to look for' } })).toBe(false);
  });

  it('a request is told by its method even under a reading name', () => {
    expect(asks('fetch', { url: {}, method: { enum: ['GET', 'DELETE'] } })).toBe(true);
    expect(asks('fetch', { url: {}, method: { enum: ['GET', 'HEAD'] } })).toBe(false);
  });

  it('so is an act, where looking is one of those offered', () => {
    expect(asks('get_item', { action: { enum: ['get', 'delete'] } })).toBe(true);
    expect(asks('list_adjustments', { action: { enum: ['credit', 'refund'] } })).toBe(false);
  });

  it('what a read does to a text is no act', () => {
    expect(asks('get_item', { action: { enum: ['get', 'strip'] } })).toBe(false);
    expect(asks('save_item', { action: { enum: ['get', 'strip'] } })).toBe(true);
  });

  it('a request that is stored is not sent, and code inside of what is stored does not run', () => {
    const request = { name: {}, url: {}, method: { enum: ['GET', 'DELETE'] } };
    expect(asks('create_collection_request', request)).toBe(false);
    expect(asks('create_http_request', request)).toBe(true);
    expect(asks('make_api_request', request)).toBe(true);
    expect(asks('send_request', request)).toBe(true);
    const items = { items: { properties: { script: {} } } };
    expect(asks('create_collection', { items })).toBe(false);
    expect(asks('create_collection', { script: {} })).toBe(true);
    expect(asks('process_collection', { items })).toBe(true);
  });

  it('a patch of a part is no removal, in one list or in alternatives', () => {
    const op = (...values: readonly string[]): object => ({
      anyOf: values.map((value) => ({ properties: { op: { const: value }, path: {} } })),
    });
    expect(asks('patch_entry', { operation: op('set', 'unset', 'append') })).toBe(false);
    expect(asks('patch_entry', { operation: op('set', 'purge') })).toBe(true);
    expect(asks('patch_entry', { op: { enum: ['set', 'unset'] } })).toBe(true);
    expect(asks('patch_entry', { op: { enum: ['add', 'remove'] } })).toBe(false);
    expect(asks('patch_entry', { operation: {}, path: {} })).toBe(true);
  });

  it('the size of a part is no plan', () => {
    const pool = { properties: { size: {} } };
    expect(asks('create_service', { size: {} })).toBe(true);
    expect(asks('create_service', { service: pool })).toBe(true);
    expect(asks('create_service', { service: { properties: { pool } } })).toBe(false);
  });

  it('what can be chosen of a template is done all the same', () => {
    expect(asks('apply_template', { action: { enum: ['preview', 'send'] } })).toBe(true);
    expect(asks('apply_template', { action: { enum: ['preview', 'save'] } })).toBe(false);
    expect(asks('create_draft', { to: {}, body: {} })).toBe(false);
  });

  it('a way of delivery is no act', () => {
    const values = { enum: ['Email', 'Print'] };
    expect(asks('create_customer', { preferred_delivery_method: values })).toBe(false);
    expect(asks('handle_customer', { action: values })).toBe(true);
  });

  it('an entry in books is no payment, unless somebody is paid', () => {
    const entry = { payee_name: {}, category_id: {}, amount: {} };
    expect(asks('create_transaction', entry)).toBe(false);
    expect(asks('create_transaction', { ...entry, to_address: {} })).toBe(true);
    expect(asks('create_transaction', { amount: {}, memo: {} })).toBe(true);
    expect(asks('create_payment', entry)).toBe(true);
  });

  it('an answer to a comment on a document reaches those who work on it', () => {
    expect(asks('reply_to_comment', { file_id: {}, content: {} })).toBe(false);
    expect(asks('reply_to_comment', { video_id: {}, content: {} })).toBe(true);
  });

  it('a group of parameters is no text, and what is looked for reaches nobody', () => {
    const path = { properties: { room_id: {} } };
    expect(asks('update_room', { path, body: { properties: { name: {} } } })).toBe(false);
    expect(asks('update_room', { path, body: { properties: { text: {} } } })).toBe(true);
    expect(asks('update_room', { room_id: {}, body: { enum: ['open', 'done'] } })).toBe(false);
    expect(asks('update_room', { room_id: {}, body: {} })).toBe(true);
    const to = { properties: { to: {}, subject: {} } };
    expect(asks('create_filter', { criteria: to })).toBe(false);
    expect(asks('create_filter', { action: to })).toBe(true);
  });

  it('what must be given and replaces all that is there asks, and so does a role for somebody', () => {
    const slides = { description: 'Slides to replace existing slides' };
    const given = (properties: object, required: readonly string[]): boolean =>
      inferEffect({ name: 'update_deck', inputSchema: { properties, required } }).asks;
    expect(given({ id: {}, slides }, ['id', 'slides'])).toBe(true);
    expect(given({ id: {}, slides }, ['id'])).toBe(false);
    expect(asks('assign_entry', { role_name: {}, user_id: {} })).toBe(true);
    expect(asks('assign_entry', { role_name: {}, color: {} })).toBe(false);
  });

  it('a switch that empties something first asks', () => {
    const on = { type: 'boolean' };
    expect(asks('import_table', { truncateFirst: on })).toBe(true);
    expect(asks('copy_rows', { truncateTarget: { anyOf: [on, { type: 'null' }] } })).toBe(true);
    expect(asks('import_table', { clear_existing: on })).toBe(true);
    expect(asks('copy_rows', { overwriteExisting: on })).toBe(true);
    expect(asks('copy_rows', { dropTable: on })).toBe(true);
    expect(asks('copy_rows', { reset_data: { type: 'string' } })).toBe(false);
    expect(asks('edit_text', { replaceAll: on })).toBe(false);
    expect(asks('get_text', { truncate: on })).toBe(false);
  });

  it('an expression that filters is not run', () => {
    expect(asks('run_report', { filterExpression: {} })).toBe(false);
    expect(asks('run_report', { expression: {} })).toBe(true);
  });

  it('what is made or preferred is not run, nor is a code that stands for something', () => {
    expect(asks('create_query_snippet', { snippet: {} })).toBe(false);
    expect(asks('query_snippet', { snippet: {} })).toBe(true);
    expect(asks('create_query', { sql: {} })).toBe(true);
    expect(asks('create_space', { shell: {} })).toBe(false);
    expect(asks('run_space', { shell: {} })).toBe(true);
    expect(asks('run_test', { code: { description: 'Project code (2 to 10 letters)' } })).toBe(
      false,
    );
    expect(asks('run_test', { code: { description: 'Source code' } })).toBe(true);
  });

  it('a mode is an act only where it begins with one', () => {
    expect(asks('set_layer', { blendMode: { enum: ['normal', 'color_burn'] } })).toBe(false);
    expect(asks('update_tags', { mode: { enum: ['append', 'merge'] } })).toBe(false);
    expect(asks('update_tags', { mode: { enum: ['append', 'overwrite'] } })).toBe(true);
    expect(asks('update_tags', { updateMode: { enum: ['append', 'clearAllTags'] } })).toBe(true);
  });

  it('what is known of a person or of the caller reaches nobody', () => {
    expect(
      asks('update_contact', { contacts: { items: { properties: { phone_number: {} } } } }),
    ).toBe(false);
    expect(asks('update_call', { phone_number: {} })).toBe(true);
    expect(asks('create_ticket', { caller_role: {}, user_id: {} })).toBe(false);
    expect(asks('create_ticket', { user_role: {}, user_id: {} })).toBe(true);
  });

  it('a request that is only sampled is not sent', () => {
    const request = { url: {}, method: { enum: ['GET', 'DELETE'] } };
    expect(asks('add_http_sampler', request)).toBe(false);
    expect(asks('add_http_call', request)).toBe(true);
  });

  it('a command that a service starts with does not run now', () => {
    expect(asks('update_service', { start_command: {} })).toBe(false);
    expect(asks('update_service', { command: {} })).toBe(true);
    expect(asks('run_service', { start_command: {} })).toBe(true);
  });

  it('a schema that is deep, wide or odd does no harm', () => {
    let deep: object = { properties: { sql: {} } };
    for (let level = 0; level < 20_000; level += 1) deep = { anyOf: [{ properties: { x: deep } }] };
    expect(inferEffect({ name: 'get_x', inputSchema: deep }).asks).toBe(true);
    fc.assert(
      fc.property(fc.jsonValue(), (inputSchema) => {
        expect(inferEffect({ name: 'get_x', inputSchema }).effect.act).toBe('read');
      }),
    );
  });
});

describe('parts of a schema', () => {
  const asks = (inputSchema: object, name = 'process_job'): boolean =>
    inferEffect({ name, inputSchema }).asks;
  const job = { properties: { command: {}, label: {} } };

  it('are followed where they are referred to', () => {
    const params = { $ref: '#/$defs/Job' };
    expect(asks({ properties: { params }, $defs: { Job: job } })).toBe(true);
    expect(asks({ properties: { params }, $defs: { Job: { properties: { a: {} } } } })).toBe(false);
    const maybe = { anyOf: [params, { type: 'null' }] };
    expect(asks({ properties: { params: maybe }, $defs: { Job: job } })).toBe(true);
    expect(asks({ $ref: '#/$defs/Job', $defs: { Job: job } })).toBe(true);
    const beside = { ...params, properties: {}, description: 'A job' };
    expect(asks({ properties: { params: beside }, $defs: { Job: job } })).toBe(true);
    expect(asks({ properties: { a: job, b: { $ref: '#/properties/a' } } })).toBe(true);
    const odd = { $ref: '#/$defs/a~1b%20c' };
    expect(asks({ properties: { odd }, $defs: { 'a/b c': job } })).toBe(true);
  });

  it('of a list of values that is referred to are choices', () => {
    const inputSchema = {
      properties: { action: { $ref: '#/$defs/Action' } },
      $defs: { Action: { enum: ['get', 'delete'] } },
    };
    expect(asks(inputSchema, 'manage_note')).toBe(true);
    expect(asks({ ...inputSchema, $defs: { Action: { enum: ['get'] } } }, 'manage_note')).toBe(
      false,
    );
  });

  it('are read in conditions, tuples, maps and lists of lists', () => {
    expect(asks(JSON.parse('{"then": {"properties": {"command": {}}}}') as object)).toBe(true);
    expect(asks({ else: job })).toBe(true);
    expect(asks({ dependentSchemas: { a: job } })).toBe(true);
    expect(asks({ properties: { a: { prefixItems: [{}, job] } } })).toBe(true);
    expect(asks({ properties: { a: { items: [job] } } })).toBe(true);
    expect(asks({ properties: { a: { items: { items: job } } } })).toBe(true);
    expect(asks({ properties: { a: { additionalProperties: job } } })).toBe(true);
    expect(asks({ properties: { a: { patternProperties: { '^x': job } } } })).toBe(true);
  });

  it('that cannot be found make it ask', () => {
    for (const $ref of ['https://a.example/b.json', '#/$defs/None', '#None', '#/$defs/Loop', 5])
      expect(
        asks({ properties: { a: { $ref } }, $defs: { Loop: { $ref: '#/$defs/Loop' } } }, 'get_x'),
      ).toBe(true);
  });

  it('that hold themselves are read once', () => {
    const Node = { properties: { label: {}, children: { items: { $ref: '#/$defs/Node' } } } };
    const tree = { properties: { root: { $ref: '#/$defs/Node' } }, $defs: { Node } };
    expect(asks(tree, 'create_note')).toBe(false);
    expect(asks({ properties: { a: { $ref: '#' } } }, 'create_note')).toBe(false);
  });

  it('beyond what is read make it ask', () => {
    const padding = Object.fromEntries(Array.from({ length: 400 }, (_, at) => [`p${at}`, {}]));
    expect(asks({ properties: { ...padding, command: {} } })).toBe(true);
    const values = Array.from({ length: 400 }, (_, at) => `get_${at}`);
    expect(asks({ properties: { action: { enum: values } } }, 'manage_note')).toBe(true);
    expect(asks({ properties: { zone: { enum: values } } }, 'update_note')).toBe(false);
  });

  it('take time that grows with their number only', () => {
    const values = Array.from({ length: 20_000 }, (_, at) => `delete_${at}`);
    const many = Array.from({ length: 200 }, (_, at) => [
      `p${at}_action`,
      { enum: values.slice(0, 100) },
    ]);
    const defs = Array.from({ length: 300 }, (_, at) => [
      `D${at}`,
      {
        properties: Object.fromEntries(
          [1, 3, 7].map((by) => [`p${by}`, { $ref: `#/$defs/D${(at + by) % 300}` }]),
        ),
      },
    ]);
    const from = performance.now();
    asks({ properties: { action: { enum: values } } }, 'manage_x');
    asks({ properties: { action: { enum: values.fill('disable') } } }, 'manage_x');
    asks({ properties: Object.fromEntries(many) }, 'manage_x');
    asks({ $ref: '#/$defs/D0', $defs: Object.fromEntries(defs) }, 'manage_x');
    expect(performance.now() - from).toBeLessThan(1000);
  });
});
