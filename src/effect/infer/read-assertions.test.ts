import { describe, expect, it } from 'vitest';
import { inferEffect } from './infer-effect.ts';

function asks(name: string, description: string): boolean {
  return inferEffect({ name, description }).asks;
}

describe('what a description asserts', () => {
  it.each([
    ['import_data', 'Imports a file. Destroys existing data in the table.'],
    ['sync_folder', 'Syncs two folders. Removes files that are only in the target.'],
    ['sync_folder', 'Syncs two folders and deletes all files that are only in the target.'],
    ['update_stream', 'Stop a stream by its id.'],
    ['update_item', 'Updates an item. This will permanently overwrite the old one.'],
    ['save_note', 'Saves a note. It then notifies the whole team.'],
    ['extract_page', 'Extracts a page. Each call is billed at 2 cents.'],
    ['search_people', 'Searches people. Consumes 10 credits.'],
    ['move_item', 'Moves an item. This cannot be undone.'],
    ['move_item', 'Moves an item and deletes the folder.'],
    ['sandbox_tool', 'Evaluate an expression in the page.'],
    ['add_rows', '⚠️ DESTRUCTIVE: Adds rows to a table.'],
    ['export_table_to_csv', 'Sends all rows to a customer.'],
    ['update_entry', 'Update an entry (used to redact its text).'],
    ['update_week', 'Changes a week. Omitted days are removed.'],
    ['set_mode', 'Sets a mode. There is no undo.'],
    ['set_mode', 'Sets a mode. Irrevocably.'],
    ['set_mode', 'Sets a mode. Use with caution.'],
    ['set_mode', 'Sets a mode. Invalidates all earlier tokens.'],
    ['set_mode', 'Sets a mode. Restarts all nodes.'],
    ['set_mode', 'Sets a mode. Charges apply.'],
    ['sync_folder', 'Mirrors a folder; files missing from the source are deleted.'],
    ['sync_folder', 'Mirrors a folder, discarding local changes.'],
    ['update_ticket', 'Updates a ticket; the customer is notified.'],
    ['set_mode', 'Make the page live'],
    ['compose_down', 'Tear down a stack'],
    ['set_document', 'Set the full content of a document'],
    ['set_mode', 'Takes the page offline'],
    ['email_report', 'Email a report'],
    ['set_mode', 'Sets a mode. Followers are notified: the message is automatically sent.'],
    ['set_mode', 'Sets a mode. The page is visible to everyone.'],
    ['list_nodes', 'Lists and runs hosted nodes. They spend paid credits.'],
    ['verify_card', 'Charges the card 1 USD.'],
    ['get_note', 'Sends the note by email to all members'],
    ['get_note', 'Emails the note to a person'],
    ['get_pizza', 'Orders a pizza'],
    ['check_out', 'Checks out the shopping cart and places the order'],
    ['check_out', 'Check out the cart'],
    ['load_snapshot', 'Loads a snapshot. All current data will be lost.'],
    ['find_and_book', 'Finds a flight and books it'],
    ['find_and_book', 'Finds a flight'],
    ['find_slot', 'Finds the next free slot and books it for you'],
    ['check_inbox', 'Checks the inbox and deletes spam'],
    ['lookup_user', 'Looks up a user and resets the password'],
    ['get_quote', 'Requests a quote. This will place a hold of $50 on the card on file.'],
    ['get_link', 'Returns a link that anyone can open'],
    ['validate_config', 'Validates the configuration and applies it to production'],
    ['search_hotels', 'Searches hotels and reserves the cheapest one'],
    ['load_backup', 'Loads a backup over the current database'],
    ['check_log', 'Checks the log and deletes all entries'],
    ['scan_disk', 'Scans the disk and quarantines infected files'],
    ['receive_message', 'Receives a message and deletes it from the queue'],
  ])('%s asks: %s', (name, description) => {
    expect(asks(name, description)).toBe(true);
  });

  it.each([
    ['import_data', 'Imports a file. Never deletes existing data.'],
    ['sync_folder', 'Syncs two folders without removing anything.'],
    ['sync_folder', 'Syncs two folders. Does not delete or overwrite the existing files.'],
    ['format_text', 'Formats a text. Removes extra whitespace.'],
    ['create_hook', 'Creates a hook that runs when somebody creates and deletes a file.'],
    ['list_deletions', 'Lists deletions. Delete the token afterwards.'],
    ['update_item', 'Updates an item. Use delete_item to remove the item.'],
    ['set_color', 'Set or clear the color of a card.'],
    ['move_item', 'Moves an item: it makes a copy elsewhere and removes the original.'],
    ['set_mode', 'Sets a mode. This is not destructive.'],
    ['set_mode', 'Sets a mode. No data is lost: nothing is removed.'],
    ['add_timer', 'Adds a timer. Its id can be used to cancel it.'],
    ['logout', 'Logout the current user.'],
    ['calculator', 'Evaluate a mathematical expression.'],
    ['update_draft', 'Updates a draft. Attachments replace existing ones.'],
    ['period_summary', 'Sums up a period: debits/credits, closing balance.'],
    ['create_pail', 'Provision a new bucket for measurements.'],
    ['disconnect', 'Disconnect from the device.'],
    [
      'create_product',
      `Creates a product.${' More words.'.repeat(40)} Images are publicly accessible.`,
    ],
    ['list_orders', 'Lists orders and charges of a customer.'],
    ['search_products', 'Orders a list of products by price.'],
    ['get_page', 'Fetches a page and removes the HTML tags.'],
    ['check_list', 'Checks a list and deletes duplicate entries.'],
    ['clean_list', 'Reads a list and deletes duplicates.'],
    ['get_answer', 'Sends the prompt to the model and returns the answer.'],
    ['get_order', 'Gets an order. Use place_order to place the order.'],
    ['get_flight', 'Gets a flight. It never charges the card.'],
    ['git_check_out_times', 'Lists times'],
  ])('%s does not: %s', (name, description) => {
    expect(asks(name, description)).toBe(false);
  });

  const HINTS = { readOnlyHint: false, destructiveHint: false };
  it.each([
    ['sync_folders', 'Mirrors source to target and deletes extra files'],
    ['sync_folders', 'Mirrors source to target and then deletes extra files'],
    ['sync_folders', 'Syncs folders, deleting the extra files.'],
    ['sync_folders', 'Syncs folders and removes old files.'],
    ['import_data', 'Imports data, replacing the current content'],
    ['load_snapshot', 'Loads a snapshot. All current data will be lost.'],
    ['roll_back', 'Rolls back the last deployment'],
    ['take_down_site', 'Takes down the site'],
  ])('%s asks although its hints deny it: %s', (name, description) => {
    expect(inferEffect({ name, description, annotations: HINTS }).asks).toBe(true);
  });
});
