import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TIERS } from '../tier.ts';
import { inferCall } from './infer-call.ts';
import { inferEffect } from './infer-effect.ts';
import type { Trust } from './trust.ts';

type Json = Readonly<Record<string, unknown>>;

function call(
  name: string,
  args: Json,
  properties: object = {},
  more: object = {},
  trust: Trust = {},
): ReturnType<typeof inferCall> {
  const tool = { name, inputSchema: { type: 'object', properties }, ...more };
  return inferCall(tool, inferEffect(tool, trust), args);
}

const tierOf = (...given: Parameters<typeof call>): string => call(...given).effect.tier;

describe('the arguments of a call raise its effect', () => {
  it.each<readonly [string, Json, string]>([
    ['fetch', { url: 'u', method: 'DELETE' }, 'destructive'],
    ['fetch', { url: 'u', Method: ' delete ' }, 'destructive'],
    ['fetch', { url: 'u', method: 'POST' }, 'share_export'],
    ['fetch', { url: 'u', method: 'PATCH' }, 'share_export'],
    ['fetch', { headers: { 'X-HTTP-Method-Override': 'PUT' } }, 'destructive'],
    ['get_data', { endpoint: 'DELETE /users/1' }, 'destructive'],
    ['list_items', { purge: true }, 'destructive'],
    ['list_items', { purge: 'yes' }, 'destructive'],
    ['list_items', { truncateFirst: true }, 'destructive'],
    ['list_items', { truncate: true }, 'read'],
    ['list_items', { PURGE: 1 }, 'destructive'],
    ['list_items', { delete: ['1'] }, 'destructive'],
    ['list_items', { options: [{ deleteAfterRead: true }] }, 'destructive'],
    ['get_report', { send_email: true }, 'share_export'],
    ['preview_change', { apply: true }, 'destructive'],
    ['get_cart', { checkout: true }, 'external_spend'],
    ['get_user', { action: 'delete' }, 'destructive'],
    ['get_user', { action: `${' '.repeat(300)}delete` }, 'destructive'],
    ['get_user', { operation: 'TerminateInstances' }, 'destructive'],
    ['get_user', { action: 'удалить' }, 'destructive'],
    ['get_user', { action: 'снести' }, 'destructive'],
    ['get_user', { action: 'eliminar' }, 'destructive'],
    ['get_user', { action: '支付' }, 'external_spend'],
    ['create_board', { visibility: 'public' }, 'share_export'],
    ['create_board', { settings: { isPublic: true } }, 'share_export'],
    ['aggregate', { pipeline: [{ $match: {} }, { $out: 'users' }] }, 'destructive'],
    ['stripe_get', { action: 'create', resource: 'charges' }, 'external_spend'],
    ['stripe_get', { action: 'create', path: `/v1/${'a'.repeat(300)}/charges` }, 'external_spend'],
    ['search', { batch: '[{"action": "delete"}]' }, 'destructive'],
    ['search', { a: '{"b": "{\\"action\\": \\"delete\\"}"}' }, 'destructive'],
    ['explain_query', { sql: 'DROP TABLE users' }, 'destructive'],
    ['list_rows', { sql: 'select 1; delete from users' }, 'destructive'],
    ['get_graph', { query: 'mutation { deleteUser(id: 1) { id } }' }, 'destructive'],
    ['get_output', { command: 'rm -rf /' }, 'destructive'],
    ['create_repo', { private: false }, 'share_export'],
    ['fetch', { url: 'u', method: 'ＤＥＬＥＴＥ' }, 'destructive'],
    ['fetch', { url: 'u', method: 'DEL\u200BETE' }, 'destructive'],
    ['fetch', { url: 'u', method: 'PROPPATCH' }, 'destructive'],
    ['fetch', { url: 'u', method: { name: 'DELETE' } }, 'destructive'],
    ['fetch', { url: 'u', httpVerb: 'DELETE' }, 'destructive'],
    ['fetch', { url: 'https://a.example/1?_method=DELETE' }, 'destructive'],
    ['fetch', { url: 'u', init: '{method: "DELETE"}' }, 'destructive'],
    ['fetch', { url: 'u', body: '{"amount": 5}' }, 'share_export'],
    ['fetch', { headers: [{ name: 'X-HTTP-Method-Override', value: 'PUT' }] }, 'destructive'],
    ['fetch', { headers: [['X-HTTP-Method-Override', 'PUT']] }, 'destructive'],
    ['fetch', { headers: 'Accept: */*\r\nX-HTTP-Method-Override: PUT' }, 'destructive'],
    ['curl', { args: ['-X', 'DELETE', 'https://a.example'] }, 'destructive'],
    ['curl', { options: '-X DELETE https://a.example' }, 'destructive'],
    ['list_items', { flags: ['--delete'] }, 'destructive'],
    ['list_items', { ids_to_delete: ['1'] }, 'destructive'],
    ['list_items', { remove: ['1'] }, 'destructive'],
    ['list_items', { drop_table: 'users' }, 'destructive'],
    ['list_items', { dryRun: false }, 'destructive'],
    ['list_items', { revokeAll: true }, 'destructive'],
    ['list_items', { transfer: { to: 'x', amount: 5 } }, 'external_spend'],
    ['list_items', { email_results_to: 'a@b.example' }, 'share_export'],
    ['get_user', { action: 'get;delete' }, 'destructive'],
    ['get_user', { action: { type: 'delete' } }, 'destructive'],
    ['get_user', { tool_name: 'delete_user', arguments: { id: 1 } }, 'destructive'],
    ['get_user', { steps: [{ type: 'delete' }] }, 'destructive'],
    ['get_user', { payload: '"{\\"action\\":\\"delete\\"}"' }, 'destructive'],
    ['explain_query', { query: 'DROP TABLE users' }, 'destructive'],
    ['explain_query', { sql: { text: 'DROP TABLE users' } }, 'destructive'],
    ['explain_query', { sql: 'SELECT app.delete_user(1)' }, 'destructive'],
    ['check_status', { command: 'rm -rf /' }, 'destructive'],
    ['check_status', { eval: 'x()' }, 'destructive'],
    ['update-page-markdown', { type: 'replace_content', new_str: 'x' }, 'destructive'],
    ['update_page', { type: 'replaceAllContent' }, 'destructive'],
    ['update_page', { data: { command: 'replace_content' } }, 'destructive'],
    ['update_page', { mode: 'replace_content' }, 'destructive'],
    ['update_page', { operation: 'overwrite_file' }, 'destructive'],
    ['update_page', { edits: [{ type: 'delete_block' }] }, 'destructive'],
    ['update_page', { type: 'erase-all' }, 'destructive'],
    ['alter_note', { changes: [{ type: 'drop_column' }] }, 'destructive'],
    ['update_page', { in_trash: true }, 'destructive'],
    ['update_file', { trashed: 'true' }, 'destructive'],
    ['update_member', { isDeleted: true }, 'destructive'],
    ['update_item', { status: 'deleted' }, 'destructive'],
    ['update_item', { data: { state: 'Deleted' } }, 'destructive'],
    ['update_account', { state: 'terminated' }, 'destructive'],
    ['update_account', { account_status: 'suspended' }, 'destructive'],
    ['update_order', { status: 'cancelled' }, 'destructive'],
    ['create_page', { status: 'publish' }, 'share_export'],
    ['create_page', { published: true }, 'share_export'],
    ['update_doc', { access: 'anyone_with_link' }, 'share_export'],
    ['update_repo', { is_private: false }, 'share_export'],
    ['update_bucket', { block_public_access: false }, 'share_export'],
    ['create_folder', { acl: 'public-read-write' }, 'share_export'],
    ['create_folder', { public_access: true }, 'share_export'],
    ['update_item', { status: 'closed' }, 'compute'],
    ['update_item', { state: 'active', published: false, is_private: true }, 'compute'],
    ['fetch', { url: 'u', data: 'x=1' }, 'share_export'],
    ['fetch', { url: 'u', json: { a: 1 } }, 'share_export'],
    ['fetch', { url: 'u', init: '{method:`DELETE`}' }, 'destructive'],
    ['curl', { args: ['-d', 'x=1', 'https://a.example'] }, 'share_export'],
    ['curl', { args: ['--data-binary=@x'] }, 'share_export'],
    ['stripe_get', { action: 'create', type: 'payment' }, 'external_spend'],
    ['stripe_get', { action: 'create', thing: 'payment' }, 'external_spend'],
    ['stripe_get', { action: 'create', resource_kind: 'payment' }, 'external_spend'],
    ['update_ads', { daily_budget: 1000 }, 'external_spend'],
    ['get_user', { action: 'get', '\u0430ction': 'delete' }, 'destructive'],
    // Archiving is an ordinary write, as archive_page is, where nothing says that it deletes.
    ['update_page', { archived: true }, 'compute'],
    ['update_page', { in_trash: false, deleted: false, trashed: 'no' }, 'compute'],
    ['update_page', { type: 'update_content', old_str: 'x' }, 'compute'],
    ['update_page', { type: 'replace_content_range' }, 'compute'],
    ['update_page', { type: 'replace_text' }, 'compute'],
    ['update_element', { type: 'drop_shadow' }, 'compute'],
    ['update_field', { type: 'dropdown' }, 'compute'],
    ['update_view', { type: 'delete_log' }, 'compute'],
  ])('%s %j', (name, args, tier) => {
    expect(tierOf(name, args)).toBe(tier);
  });

  it('a query of a tool for SQL counts as SQL, and any other as words', () => {
    const query = 'drop table users';
    expect(tierOf('search_rows', { query }, {}, { description: 'Searches a MySQL database' })).toBe(
      'destructive',
    );
    expect(tierOf('search_docs', { query }, {}, { description: 'Searches the manual' })).toBe(
      'read',
    );
  });

  it.each([
    'DELETE/**/FROM users',
    'DELETE users WHERE id = 1',
    'REPLACE INTO users VALUES (1)',
    '/* x */ SELECT delete_user(1)',
  ])('SQL in a query: %s', (query) => {
    const more = { description: 'Rows of a Postgres database' };
    expect(tierOf('get_rows', { query }, {}, more)).toBe('destructive');
    expect(tierOf('get_rows', { query: 'SELECT * FROM users' }, {}, more)).toBe('read');
    expect(tierOf('get_rows', { query: 'with a name' }, {}, more)).toBe('read');
  });

  it('what the definition offers to choose is narrowed, and then raised by what it is done to', () => {
    const properties = {
      action: { enum: ['get', 'create'] },
      type: { enum: ['customer', 'payment'] },
    };
    expect(tierOf('stripe', { action: 'create', type: 'payment' }, properties)).toBe(
      'external_spend',
    );
    expect(tierOf('stripe', { action: 'create', type: 'customer' }, properties)).toBe('compute');
    expect(tierOf('stripe', { action: 'get', type: 'payment' }, properties)).toBe('read');
  });

  it('an archive that its server calls deleting', () => {
    const description = 'Set to true to archive (delete) a block. Set to false to restore it.';
    const properties = { archived: { type: 'boolean', description } };
    expect(tierOf('update_block', { archived: true }, properties)).toBe('destructive');
    expect(tierOf('update_block', { archived: false }, properties)).toBe('compute');
    expect(tierOf('list_blocks', { archived: true }, properties)).toBe('read');
  });

  it('the reason says which argument, and several effects are all kept', () => {
    const { effect, reasons } = call('list_items', { purge: true, pay: true });
    expect(effect.tier).toBe('destructive');
    expect(effect.also?.map(({ tier }) => tier)).toEqual(['external_spend']);
    expect(reasons[0]).toMatchObject({ code: 'argument', source: 'arguments' });
    expect(reasons[0]?.text).toContain('"purge"');
  });

  it('nested acts count beside one at the top that only looks', () => {
    const action = { enum: ['get', 'delete'] };
    const batch = { type: 'array', items: { properties: { action } } };
    const tell = (args: Json): string => tierOf('manage_event', args, { action, batch });
    expect(tell({ action: 'get' })).toBe('read');
    expect(tell({ action: 'get', batch: [{ action: 'get' }] })).toBe('read');
    expect(tell({ action: 'get', batch: [{ action: 'delete' }] })).toBe('destructive');
    expect(tell({ action: 'get', other: { deep: [{ action: 'delete' }] } })).toBe('destructive');
  });
});

describe('a call that only asks a database', () => {
  const asks = (name: string, args: Json, description = ''): boolean => {
    const properties = Object.fromEntries(Object.keys(args).map((key) => [key, {}]));
    return TIERS[call(name, args, properties, { description }).effect.tier].asks;
  };
  const sql = 'SELECT name FROM users WHERE id = 5';

  it.each<readonly [string, Json]>([
    ['execute_sql', { sql }],
    ['run_query', { sql, limit: 10, database: 'main', params: [1, 'a'] }],
    ['query', { sql, read_only: true, format: 'json' }],
    ['acme_execute_sql', { statement: sql, timeout_ms: 500 }],
    ['execute_cypher', { cypher: 'MATCH (n) RETURN n LIMIT 5', params: { id: 4 } }],
  ])('is a read: %s %j', (name, args) => {
    expect(asks(name, args)).toBe(false);
  });

  it.each<readonly [string, Json]>([
    ['create_payment', { amount: 5, currency: 'usd', statement: 'Table reservation' }],
    ['create_payment', { amount: 5, currency: 'usd', statement: sql }],
    ['send_money', { statement: sql, to: 'x' }],
    ['publish_statement', { statement: 'Show everybody' }],
    ['publish_statement', { statement: sql }],
    ['execute_statement', { statement: 'With love' }],
    ['run_query', { sql, destination_table: 'prod.users' }],
    ['run_query', { sql, write_disposition: 'WRITE_TRUNCATE' }],
    ['execute_sql', { sql, output_path: '/etc/x' }],
    ['execute_sql', { sql, webhook_url: 'https://a.example' }],
    ['execute_sql', { sql, email_results_to: 'a@a.example' }],
    ['execute_sql', { sql, operation: 'drop' }],
    ['execute_sql', { sql, drop_table: 'users' }],
    ['execute_sql', { sql, purge: 'true' }],
    ['execute_sql', { sql, method: 'DELETE' }],
    ['execute_sql', { sql, read_only: false }],
    ['execute_sql', { sql, frob: 1 }],
    ['execute_sql', { sql, '\u0430limit': 1 }],
    ['execute_sql', { sql, params: [{ sql: 'DROP TABLE t' }] }],
    ['execute_script', { statement: sql, code: 'os.reboot()' }],
    ['execute_sql_and_email', { sql, to: 'a@a.example' }],
    ['execute_sql_and_email', { sql }],
    ['export_query', { sql, bucket: 'b' }],
    ['run_workflow', { sql, name: 'wipe' }],
    ['wthdrw_sql', { sql }],
    ['pagar_query', { sql }],
  ])('asks where anything else is told: %s %j', (name, args) => {
    expect(asks(name, args)).toBe(true);
  });
});

describe('the description of a tool for SQL', () => {
  it.each([
    ['Execute a SQL query', 'read'],
    ['Run SQL. Sends the results to all members.', 'destructive'],
    ['Pay for a query', 'destructive'],
  ])('%s', (description, tier) => {
    const sql = 'SELECT 1';
    expect(tierOf('execute_sql', { sql }, { sql: {} }, { description })).toBe(tier);
  });
});

describe('what only looks like a danger raises nothing', () => {
  it.each<readonly [string, Json]>([
    ['fetch', { url: 'https://a.example/delete', method: 'GET' }],
    ['list_items', { purge: false, delete: '', overwrite: 'false' }],
    ['list_items', { include_deleted: true, show_deleted: true, skip_delete: true }],
    ['list_gists', { public: true }],
    ['list_issues', { state: 'open', sort: 'updated' }],
    ['list_audit_events', { action: 'user.delete' }],
    ['search_stories', { commit: 'abc123', text: 'delete all users' }],
    ['get_type_info', { service: 'payments', method: 'deletePayment' }],
    ['get_send_as', { sendAsEmail: 'a@a.example' }],
    ['transform_text', { operation: 'strip', text: 'x' }],
    ['get_charge', { charge: 'ch_1', refund: 're_1' }],
    ['explain_query', { sql: "SELECT * FROM updates WHERE note = 'drop it'" }],
    ['explain_query', { sql: 'WITH a AS (SELECT 1) SELECT created_at, deleted FROM a;' }],
    ['explain_command', { command: 'tar xf a.tar' }],
    ['get_graph', { query: 'query { mutations { id } }' }],
    ['describe_tool', { tool_name: 'delete_user' }],
    ['web_search', { query: 'delete from a list in python' }],
    ['list_items', { deleted: true, delete_after: '2026-01-01', type: 'note' }],
    ['get_charge', { charge_id: 'ch_1', transfer: 'tr_1' }],
    ['get_issue', { options: ['comments', 'labels'] }],
    ['fetch', { url: 'https://a.example/delete', headers: 'Accept: text/html' }],
    ['git_log', { args: ['--', 'delete_user.py'] }],
    ['get_report', { dry_run: true, mode: 'fast' }],
    ['list_items', { status: 'deleted', published: true, access: 'public' }],
    ['get_rows', { url: 'u', json: true }],
    ['list_pages', { in_trash: true, trashed: true, archived: true, type: 'deleteTicket' }],
  ])('%s %j', (name, args) => {
    expect(tierOf(name, args)).toBe('read');
  });

  it('a filter that offers no way to look', () => {
    const action = { enum: ['credit', 'refund', 'chargeback'] };
    expect(tierOf('list_adjustments', { action: 'refund' }, { action })).toBe('read');
  });
});

describe('whoever has the last word', () => {
  const purge = { purge: true };

  it('a pin and a trusted promise to read only are not overruled by arguments', () => {
    expect(tierOf('list_items', purge, {}, {}, { pin: { tier: 'read' } })).toBe('read');
    const more = { annotations: { readOnlyHint: true } };
    expect(tierOf('list_items', purge, {}, more, { trusted: true })).toBe('read');
    expect(tierOf('list_items', purge, {}, more)).toBe('destructive');
    expect(tierOf('list_items', purge, {}, {}, { trusted: true })).toBe('destructive');
  });

  it("a trusted server's dry run stays one", () => {
    const properties = { dry_run: { type: 'boolean' } };
    const args = { dry_run: true, purge: true };
    expect(tierOf('delete_note', args, properties, {}, { trusted: true })).toBe('read');
    expect(tierOf('delete_note', args, properties)).toBe('destructive');
  });

  describe('who vouches for a dry run', () => {
    const properties = { dryRun: { type: 'boolean' }, simulate: { type: 'boolean' } };
    const trust = { dryRun: 'dryRun' };
    const told = (args: Json, more: Trust = trust, own: Json = properties): string =>
      tierOf('delete_note', args, own, {}, more);

    it('is believed of that switch, with exactly true', () => {
      expect(told({ dryRun: true, id: 1 })).toBe('read');
      expect(told({ dryRun: true }, { ...trust, pin: { tier: 'destructive' } })).toBe('read');
    });

    it.each<readonly [string, Json]>([
      ['nothing', {}],
      ['false', { dryRun: false }],
      ['a text', { dryRun: 'true' }],
      ['a number', { dryRun: 1 }],
      ['a list', { dryRun: [true] }],
      ['two keys that a lenient server may mix up', { dryRun: true, DryRun: false }],
      ['two switches that say different things', { dryRun: true, dry_run: false }],
      ['two of another kind', { dryRun: true, simulate: false }],
      ['another case', { dryrun: true }],
      ['a place inside another argument', { options: { dryRun: true } }],
      ['another switch', { simulate: true }],
    ])('is not taken to mean %s', (_, args) => {
      expect(told(args)).toBe('destructive');
    });

    it('is not believed where the schema has no such switch, or one of another kind or name', () => {
      const args = { dryRun: true, preview: true };
      expect(told(args, trust, {})).toBe('destructive');
      expect(told(args, trust, { dryRun: { type: 'string' } })).toBe('destructive');
      expect(told(args, { dryRun: 'preview' }, { preview: { type: 'boolean' } })).toBe(
        'destructive',
      );
    });

    it('does not outweigh a lock that was found', () => {
      const args = { dryRun: true };
      const found = { pin: { tier: 'destructive' } } as const;
      expect(told(args, { ...trust, found })).toBe('destructive');
      expect(told(args, { trusted: true, found })).toBe('destructive');
      expect(told(args, { ...trust, found: {} })).toBe('read');
    });
  });
});

describe('any arguments at all', () => {
  const names = fc.constantFrom('get_x', 'list_items', 'manage_x', 'create_x', 'delete_x', '删除');
  const keys = fc.constantFrom('action', 'method', 'purge', 'sql', 'query', 'batch', 'x');
  const value = fc.oneof(fc.jsonValue(), fc.constantFrom('get', 'DELETE', true, 'drop table x'));

  it('never make it milder than without them, and never throw', () => {
    fc.assert(
      fc.property(names, fc.dictionary(keys, value), (name, args) => {
        const severity = (given: Json): number => TIERS[call(name, given).effect.tier].severity;
        expect(severity(args)).toBeGreaterThanOrEqual(severity({}));
      }),
    );
  });

  it('very deep ones are read to the end', () => {
    let deep: unknown = { action: 'delete' };
    for (let level = 0; level < 50_000; level += 1) deep = [deep];
    expect(tierOf('get_x', { deep })).toBe('destructive');
  });
});
