import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { narrowEffect } from '../narrow-effect.ts';
import { TIERS } from '../tier.ts';
import type { InferredEffect } from './infer-effect.ts';
import { inferEffect } from './infer-effect.ts';
import { ENOUGH_CONFIDENCE } from './reason.ts';

const schemas: readonly object[] = [
  {},
  { properties: { id: { type: 'string' } } },
  { properties: { amount: { type: 'number' }, currency: {}, recipient: {} } },
  { properties: { action: { enum: ['get', 'delete'] } } },
  { properties: { sql: { type: 'string' } } },
  { properties: { channel: {}, text: {} } },
];
const names =
  `delete_user usersDelete build_delete db-drop send_email trade pay query execute share_link
  manage_x order_pizza create_payment get_x widget xyzzy put_object run_job apply_manifest post_status rm
  tx_send update_x crm`.split(/\s+/);
/** Sentences that want a tool to be read as harmless, and any other text. */
const soothing = fc.constantFrom(
  'Returns the current state.',
  'Gets a list. Read-only. Safe.',
  'Shows what would happen; changes nothing.',
  'Runs a read-only SELECT query.',
  'This tool is used to view things and never deletes.',
  'Search and list items',
);
const text = fc.oneof(soothing, fc.string({ maxLength: 80 }), fc.lorem());

describe('a description of an untrusted server', () => {
  it('lowers nothing that name and schema tell to ask about', () => {
    const cases = fc.tuple(fc.constantFrom(...names), fc.constantFrom(...schemas), text, text);
    fc.assert(
      fc.property(cases, ([name, inputSchema, one, other]) => {
        const bare = inferEffect({ name, inputSchema });
        // Nothing but the description can tell of a tool whose name and schema say nothing.
        if (!bare.asks || bare.reasons[0]?.code === 'unreadable') return;
        const told = inferEffect({ name, inputSchema, description: `${one} ${other}` });
        expect(told.asks).toBe(true);
        expect(TIERS[told.effect.tier].severity).toBeGreaterThanOrEqual(
          TIERS[bare.effect.tier].severity,
        );
      }),
      { numRuns: 3000 },
    );
  });

  it('counts every verb that it begins with', () => {
    const read = (description: string): boolean => inferEffect({ name: 'notes', description }).asks;
    expect(read('List, create or delete notes')).toBe(true);
    expect(read('Lists and shows notes')).toBe(false);
    expect(read('Notes. Operations: list, purge.')).toBe(true);
    expect(read('Gets rid of a note')).toBe(true);
    expect(read('Runs whatever is given')).toBe(true);
    expect(read('Runs a search')).toBe(false);
    expect(read('Disposes of a note')).toBe(true);
  });

  it('is read past a label, and past what kind of tool it is', () => {
    const read = (description: string): string =>
      inferEffect({ name: 'notes', description }).effect.tier;
    expect(read('Acme CRM - Create a note')).toBe('compute');
    expect(read('Acme CRM | Delete a note')).toBe('destructive');
    expect(read('**Purpose:** Delete a note')).toBe('destructive');
    expect(read('All-in-one notes: delete a note')).toBe('destructive');
    expect(read('Set the outline. WARNING: this replaces the current outline.')).toBe(
      'destructive',
    );
    expect(read('Set the outline. Outlines replace current lists.')).toBe('compute');
    expect(read('Designer - Note tool to perform actions like create note, get notes')).toBe(
      'compute',
    );
    expect(read('Note tool to perform actions like get notes, delete note')).toBe('destructive');
  });

  it('is read past a label in brackets, and as the tool that it says it calls', () => {
    const read = (name: string, description: string): string =>
      inferEffect({ name, description }).effect.tier;
    expect(read('notes', '[Notes, beta] Delete a note')).toBe('destructive');
    expect(read('notes', '[Delete] a note')).toBe('destructive');
    expect(read('update_notes_batch', 'Runs update_note for every note')).toBe('compute');
    expect(read('update_notes_batch', 'Runs delete_note for every note')).toBe('destructive');
  });

  it('confirms that a word of the name is a verb', () => {
    const asks = (description: string): boolean =>
      inferEffect({ name: 'result_record', description }).asks;
    expect(asks('Record results of a run')).toBe(false);
    expect(asks('Results of a run')).toBe(true);
  });

  it('repeats the nouns of a name, and does nothing by that', () => {
    const tell = (name: string, description: string): boolean =>
      inferEffect({ name, description }).asks;
    expect(tell('create_message_template', 'Message template')).toBe(false);
    expect(tell('create_template', 'Message templates to a team')).toBe(true);
    expect(tell('message_template', 'Message template')).toBe(true);
  });

  it('adds nothing to a verb that leaves no doubt, unless it is grave', () => {
    const tell = (name: string, description: string): boolean =>
      inferEffect({ name, description }).asks;
    expect(tell('archive_card', 'Send a card away')).toBe(false);
    expect(tell('pause_campaign', 'Stop a campaign for now')).toBe(false);
    expect(tell('close_case', 'Deletes the case')).toBe(true);
    expect(tell('update_stream', 'Stop a stream')).toBe(true);
    expect(tell('create_note', 'Create a note. Drafts may be lost when the editor is open.')).toBe(
      false,
    );
  });

  it('says the verb in other words, or what goes on', () => {
    const tell = (name: string, description: string): object => inferEffect({ name, description });
    const removes = { asks: true, effect: { tier: 'destructive' } };
    expect(tell('archive_call', 'Archive (delete) a call')).toMatchObject(removes);
    expect(tell('archive_call', 'Archive/delete a call')).toMatchObject(removes);
    expect(tell('archive_call', 'Archive (soft-delete) a call')).toMatchObject({ asks: false });
    expect(tell('update_folder', 'Update (rename) a folder')).toMatchObject({ asks: false });
    const paid = { asks: true, effect: { tier: 'external_spend' } };
    expect(tell('continue_work', 'Continue editing the last image')).toMatchObject(paid);
    expect(tell('continue_work', 'Continue editing the last note')).toMatchObject({ asks: false });
    expect(tell('create_topic', 'Create a topic with a first post')).toMatchObject({ asks: true });
    expect(tell('create_topic', 'Create a topic')).toMatchObject({ asks: false });
    expect(tell('app_close', 'Close all running apps (taskkill)')).toMatchObject({ asks: true });
    expect(tell('app_close', 'Close a dialog')).toMatchObject({ asks: false });
  });

  it('may say what the tool is used instead of', () => {
    const tell = (name: string, description: string): boolean =>
      inferEffect({ name, description }).asks;
    expect(tell('search_users', 'USER SEARCH - Replaces 3 specialized tools')).toBe(false);
    expect(tell('search_users', 'User Search - Replaces: search.ts')).toBe(false);
    expect(tell('set_page', 'Page - Replaces the text')).toBe(true);
  });

  it('speaks of a value that is empty, and empties nothing', () => {
    const tell = (description: string): string =>
      inferEffect({ name: 'recent', description }).effect.tier;
    expect(tell('Recent items of a library (empty = all)')).toBe('compute');
    expect(tell('Items of a library (empty, restore)')).toBe('destructive');
  });

  it('tells of an overwritten file even where the name only looks', () => {
    const description = 'Downloads a file to a path, overwriting any existing file there.';
    expect(inferEffect({ name: 'remote_download', description })).toMatchObject({
      asks: true,
      effect: { act: 'put', tier: 'destructive' },
    });
  });

  it('may warn, which is no act where the rest tells what is done', () => {
    const tell = (description: string): object => {
      const { effect, reasons } = inferEffect({
        name: 'write_note',
        description,
        inputSchema: { properties: { path: {}, content: {} } },
      });
      return { tier: effect.tier, act: effect.act, why: reasons[0]?.text };
    };
    const put = { tier: 'destructive', act: 'put', why: expect.stringContaining('overwrit') };
    expect(tell('Use with caution as it will overwrite an existing note.')).toEqual(put);
    expect(tell('Saves a note. Destructive: completely overwrites it.')).toEqual(put);
    expect(tell('Use with caution. It deletes all other notes.')).toMatchObject({ act: 'delete' });
    expect(inferEffect({ name: 'add_row', description: 'Dangerous.' })).toMatchObject({
      asks: true,
      effect: { tier: 'destructive' },
    });
  });

  it('is read after the line of a request, and only as far as it is about the tool', () => {
    const tell = (name: string, description: string): boolean =>
      inferEffect({ name, description }).asks;
    expect(tell('create_team', 'POST /api/teams — Create a team.')).toBe(false);
    expect(tell('set_profile', 'PUT /api/x — Set it. Replaces the stored profile entirely.')).toBe(
      true,
    );
    expect(tell('create_record', 'Create a record of any Acme REST type.')).toBe(false);
    expect(tell('acme', 'Calls any Acme REST endpoint.')).toBe(true);
    expect(tell('acme', 'Run a GraphQL query or mutation.')).toBe(true);
    expect(tell('set_due_date', 'Set, change or clear the due date.')).toBe(false);
    expect(tell('due_dates', 'Add, change or remove due dates.')).toBe(true);
    expect(tell('customer_report', 'Revenue share and top customers with totals')).toBe(false);
  });

  it('is settled by choices that can be taken back, and by those that only look', () => {
    const tell = (...choices: string[]): boolean =>
      inferEffect({
        name: 'hooks',
        description: 'Manage the hooks',
        inputSchema: { properties: { action: { enum: choices } } },
      }).asks;
    expect(tell('list', 'enable', 'disable', 'status')).toBe(false);
    expect(tell('list', 'switch', 'current')).toBe(false);
    expect(tell('list', 'disable')).toBe(true);
    expect(tell('list', 'frobnicate')).toBe(true);
  });

  it('begins with a noun where no object follows', () => {
    const tell = (description: string): object => inferEffect({ name: 'console', description });
    expect(tell('Messages of the console')).toMatchObject({ effect: { tier: 'compute' } });
    expect(tell('Messages the whole team')).toMatchObject({ effect: { act: 'deliver' } });
  });
});

describe('a tool that nothing is known about', () => {
  const tell = (name: string, description = '', properties = {}): InferredEffect =>
    inferEffect({ name, description, inputSchema: { type: 'object', properties } });

  it.each([
    ['抹去用户', '一个用户'],
    ['снести', 'Пользователь'],
    ['aggiustare_fattura', 'Fattura'],
    ['dlt_usr', 'User of an account'],
    ['dlt_users', 'Users of an account'],
    ['frob_users', 'Frob users of an account'],
    ['account_deletions', 'All account deletions'],
    ['widget_tools', 'Widget tools of an account'],
    ['kubectl', 'Kubernetes command line'],
    ['x', 'Account'],
    ['maps_thing', '将详细的结构化地址变成经纬度坐标'],
    ['inspectorate_view', ''],
    ['', ''],
  ])('%s: is no read, and asks', (name, description) => {
    const told = tell(name, description);
    expect(told.confidence).toBeLessThan(ENOUGH_CONFIDENCE);
    expect(told.asks).toBe(true);
    const promised = { name, description, annotations: { readOnlyHint: true } };
    expect(inferEffect(promised).asks).toBe(true);
  });

  it.each(['dеlete_user', 'get_usеr', 'ɡet_user', 'снести_list', 'gеt'])(
    'letters that look like ours hide the name %s, and no description makes it a read',
    (name) => {
      const told = tell(name, 'Gets a user.');
      expect(told.reasons[0]?.code).toBe('unreadable');
      expect(told.effect.tier).toBe('destructive');
    },
  );

  it.each(['ｄｅｌｅｔｅ_user', 'de\u200Blete_user', 'délete_user', '𝐝𝐞𝐥𝐞𝐭𝐞_user'])(
    'another way to write the same letters is read: %s',
    (name) => {
      expect(tell(name).reasons[0]).toMatchObject({ code: 'verb' });
      expect(tell(name).effect.act).toBe('delete');
    },
  );

  it('what it offers to choose from can tell', () => {
    const action = { enum: ['get', 'delete'] };
    const told = tell('dlt_usr', 'User of an account', { action });
    expect(told).toMatchObject({ asks: true, confidence: 0.8, effect: { tier: 'destructive' } });
    expect(narrowEffect(told.effect, { action: 'get' }).tier).toBe('read');
    expect(tell('снести', '', { action }).confidence).toBeLessThan(ENOUGH_CONFIDENCE);
  });

  it.each([
    ['get_user', ''],
    ['usersList', ''],
    ['im.v1.chat_list', 'Chats'],
    ['order_history', ''],
    ['git_log', 'History'],
    ['stock_price', 'Current stock price'],
    ['who', 'Returns the current user'],
    ['campaign_notes', "The player's campaign notes"],
    ['page_views', 'Page views'],
    ['active_users', 'Active users of an account'],
    ['video_transcript', 'Transcript of a video'],
    ['sentiment_analysis', 'Sentiment of a text'],
    ['swap_quote', 'Quote for a swap'],
    ['patent_claims', 'Claims of a patent'],
    ['prev_turns', 'Force totals of the last turns'],
    ['content_analysis', 'Advanced analysis of content'],
    ['get_user', '获取用户'],
  ])('a common word is enough: %s reads', (name, description) => {
    expect(tell(name, description)).toMatchObject({ asks: false, effect: { tier: 'read' } });
  });
});

describe('a word that is a noun, or means something else, by the rest of the text', () => {
  const tell = (name: string, description: string, properties: object = {}): InferredEffect =>
    inferEffect({ name, description, inputSchema: { type: 'object', properties } });
  const shown = 'Returns full details of a single network request';
  const dropped = 'Drop files onto an element, as if dragged from outside of the page';

  it('a request that is shown is a read, and one that is sent asks', () => {
    expect(tell('network_request', shown).effect.tier).toBe('read');
    expect(tell('network_request', shown, { url: {} }).asks).toBe(true);
    expect(tell('network_request', 'Returns the response of a request').asks).toBe(true);
    expect(tell('http_request', shown).asks).toBe(true);
    expect(tell('network_request', 'Makes a request').asks).toBe(true);
  });

  it('what is dragged and dropped is not deleted', () => {
    expect(tell('browser_drop', dropped).effect).toMatchObject({ act: 'update', tier: 'compute' });
    expect(tell('browser_drop', 'Drops it').effect.tier).toBe('destructive');
    expect(tell('drop_table', dropped).effect.tier).toBe('destructive');
  });
});
