/** A week of office work that uses every tool at least once. For tests. */
import assert from 'node:assert/strict';
import { workOnCalendar, workOnContacts, workOnFiles } from './days.ts';
import type { Worker } from './worker.ts';

export interface WeekInit {
  /** The address of a page with a recipe. */
  readonly recipePage: string;
}

export async function workAWeek(worker: Worker, { recipePage }: WeekInit): Promise<void> {
  await signIn(worker);
  await workOnNotes(worker);
  await workOnFiles(worker, 'Week');
  await worker.do('nc_webdav_list_favorites');
  await workOnCalendar(worker, 'team');
  await workOnContacts(worker, 'suppliers');
  await workOnBoards(worker);
  await workOnTables(worker);
  await workOnShares(worker);
  await cook(worker, recipePage);
  await readNews(worker);
  await searchByMeaning(worker);
  await worker.do('revoke_nextcloud_access');
}

async function signIn(worker: Worker): Promise<void> {
  const before = await worker.do('check_provisioning_status');
  assert.equal(before['is_provisioned'], false);
  const granted = await worker.do('provision_nextcloud_access');
  assert.equal(granted['status'], 'granted');
  const login = await worker.do('check_logged_in');
  assert.equal(login['logged_in'], true);
}

async function workOnNotes(worker: Worker): Promise<void> {
  const note = await worker.do('nc_notes_create_note', {
    title: 'Minutes',
    content: 'The budget was discussed.',
    category: 'Work',
  });
  const note_id = note['id'];
  const { etag } = await worker.do('nc_notes_get_note', { note_id });
  await worker.do('nc_notes_update_note', { note_id, etag, title: 'Minutes of March' });
  await worker.do('nc_notes_append_content', { note_id, content: 'Everyone agreed.' });
  const [hit] = await worker.list('nc_notes_search_notes', 'results', { query: 'budget' });
  assert.deepEqual(hit, { id: note_id, title: 'Minutes of March', category: 'Work' });
  await worker.do('nc_webdav_create_directory', { path: 'Notes' });
  await worker.do('nc_webdav_create_directory', { path: `Notes/.attachments.${String(note_id)}` });
  await worker.do('nc_webdav_write_file', {
    path: `Notes/.attachments.${String(note_id)}/list.txt`,
    content: 'ink\n',
  });
  const attached = await worker.do('nc_notes_get_attachment', {
    note_id,
    attachment_filename: 'list.txt',
  });
  assert.equal(Buffer.from(String(attached['data']), 'base64').toString(), 'ink\n');
  await worker.do('nc_notes_delete_note', { note_id });
}

async function workOnBoards(worker: Worker): Promise<void> {
  const board = await worker.do('deck_create_board', { title: 'Launch', color: '317CCC' });
  const board_id = board['id'];
  await worker.do('deck_get_boards');
  await worker.do('deck_get_board', { board_id });
  const todo = await worker.do('deck_create_stack', { board_id, title: 'To do', order: 1 });
  const done = await worker.do('deck_create_stack', { board_id, title: 'Done', order: 2 });
  const stack = { board_id, stack_id: todo['id'] };
  await worker.do('deck_get_stacks', { board_id });
  await worker.do('deck_get_stack', stack);
  await worker.do('deck_update_stack', { ...stack, title: 'Open' });
  const label = await worker.do('deck_create_label', { board_id, title: 'Hot', color: 'FF0000' });
  const label_id = label['id'];
  await worker.do('deck_update_label', { board_id, label_id, title: 'Urgent' });
  await worker.do('deck_get_labels', { board_id });
  await worker.do('deck_get_label', { board_id, label_id });
  const made = await worker.do('deck_create_card', { ...stack, title: 'Write the announcement' });
  const card = { ...stack, card_id: made['id'] };
  await worker.do('deck_get_cards', stack);
  await worker.do('deck_get_card', card);
  await worker.do('deck_update_card', { ...card, description: 'For the web page.' });
  await worker.do('deck_assign_label_to_card', { ...card, label_id });
  await worker.do('deck_assign_user_to_card', { ...card, user_id: 'ines' });
  const full = await worker.do('deck_get_card', card);
  assert.deepEqual([full['labels'], full['assigned_users']], [[label_id], ['ines']]);
  assert.equal(full['title'], 'Write the announcement');
  await worker.do('deck_remove_label_from_card', { ...card, label_id });
  await worker.do('deck_unassign_user_from_card', { ...card, user_id: 'ines' });
  await worker.do('deck_archive_card', card);
  await worker.do('deck_unarchive_card', card);
  const moved = { ...card, stack_id: done['id'] };
  await worker.do('deck_reorder_card', { ...card, order: 0, target_stack_id: done['id'] });
  await worker.do('deck_get_card', moved);
  await worker.do('deck_delete_card', moved);
  await worker.do('deck_delete_label', { board_id, label_id });
  await worker.do('deck_delete_stack', stack);
}

async function workOnTables(worker: Worker): Promise<void> {
  const [table] = await worker.list('nc_tables_list_tables', 'tables');
  const table_id = table?.['id'];
  const columns = await worker.list('nc_tables_get_schema', 'columns', { table_id });
  const [item, amount] = columns.map(({ id }) => String(id));
  assert.ok(item !== undefined && amount !== undefined);
  const row = await worker.do('nc_tables_insert_row', {
    table_id,
    data: { [item]: 'Ink', [amount]: 12.5 },
  });
  const row_id = row['id'];
  const updated = await worker.do('nc_tables_update_row', { row_id, data: { [amount]: 13 } });
  assert.equal((updated['data'] as Record<string, unknown>)[item], 'Ink');
  await worker.do('nc_tables_read_table', { table_id, limit: 10 });
  await worker.do('nc_tables_delete_row', { row_id });
}

async function workOnShares(worker: Worker): Promise<void> {
  await worker.do('nc_webdav_write_file', { path: 'Shared.txt', content: 'for you\n' });
  const link = await worker.do('nc_share_create', {
    path: 'Shared.txt',
    share_with: '',
    share_type: 3,
  });
  const share_id = link['id'];
  const url = String(link['url']);
  assert.equal(await (await fetch(url)).text(), 'for you\n');
  await worker.do('nc_share_update', { share_id, permissions: 3 });
  const shown = await worker.do('nc_share_get', { share_id });
  assert.equal('url' in shown, false);
  await worker.do('nc_share_list', { path: 'Shared.txt' });
  await worker.do('nc_share_delete', { share_id });
  assert.equal((await fetch(url)).status, 404);
}

async function cook(worker: Worker, recipePage: string): Promise<void> {
  const recipe = await worker.do('nc_cookbook_create_recipe', {
    name: 'Tomato soup',
    ingredients: ['1 kg tomatoes', 'salt'],
    category: 'Soup',
    keywords: 'quick,red',
  });
  const recipe_id = recipe['id'];
  await worker.do('nc_cookbook_import_recipe', { url: recipePage });
  await worker.do('nc_cookbook_update_recipe', { recipe_id, recipe_yield: 4 });
  const { ingredients } = await worker.do('nc_cookbook_get_recipe', { recipe_id });
  assert.deepEqual(ingredients, ['1 kg tomatoes', 'salt']);
  await worker.do('nc_cookbook_list_recipes');
  await worker.do('nc_cookbook_reindex');
  const [hit] = await worker.list('nc_cookbook_search_recipes', 'recipes', { query: 'tomato' });
  assert.equal(hit?.['id'], recipe_id);
  await worker.do('nc_cookbook_list_categories');
  await worker.do('nc_cookbook_get_recipes_in_category', { category: 'Soup' });
  await worker.do('nc_cookbook_list_keywords');
  await worker.do('nc_cookbook_get_recipes_with_keywords', { keywords: ['quick', 'red'] });
  await worker.do('nc_cookbook_set_config', { folder: 'Kitchen' });
  await worker.do('nc_cookbook_delete_recipe', { recipe_id });
}

async function readNews(worker: Worker): Promise<void> {
  await worker.do('nc_news_list_folders');
  const feeds = await worker.list('nc_news_list_feeds', 'feeds');
  const [item] = await worker.list('nc_news_list_items', 'items', { limit: 1 });
  assert.equal(item?.['title'], 'Version 2.1 predicts storm surges');
  await worker.do('nc_news_get_item', { item_id: item['id'] });
  await worker.do('nc_news_get_starred_items');
  await worker.do('nc_news_get_unread_items', { limit: 5 });
  const health = await worker.do('nc_news_get_feed_health', { feed_id: feeds.at(-1)?.['id'] });
  assert.equal(health['healthy'], false);
  await worker.do('nc_news_get_status');
}

async function searchByMeaning(worker: Worker): Promise<void> {
  const [hit] = await worker.list('nc_semantic_search', 'results', {
    query: 'when do boats leave for the island',
    doc_types: ['news_item'],
  });
  assert.equal(hit?.['title'], 'Ferry timetable changes in March');
  const status = await worker.do('nc_get_vector_sync_status');
  assert.equal(status['pending_count'], 0);
  const answered = await worker.do('nc_semantic_search_answer', {
    query: 'What does the town spend more on?',
    score_threshold: 0.2,
  });
  assert.equal(answered['answer'], 'Schools [1].');
}
