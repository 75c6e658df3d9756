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
    expect(inferEffect({ name: 'get_x', inputSchema: deep }).asks).toBe(false);
    fc.assert(
      fc.property(fc.jsonValue(), (inputSchema) => {
        expect(inferEffect({ name: 'get_x', inputSchema }).effect.act).toBe('read');
      }),
    );
  });
});
