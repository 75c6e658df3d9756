import { describe, expect, it } from 'vitest';
import { inferEffect } from './infer-effect.ts';

function asks(name: string, keys: string, description = ''): boolean {
  const properties = Object.fromEntries(
    keys.split(' ').flatMap((key) => (key === '' ? [] : [[key, { type: 'string' }]])),
  );
  return inferEffect({ name, description, inputSchema: { type: 'object', properties } }).asks;
}

describe('an entry in books', () => {
  it.each([
    ['create_transaction', 'payee_name category_id amount', 'Creates a transaction'],
    ['update_transactions', 'budget_id payee_id memo', ''],
    ['add_deposit', 'txn_date account_code', ''],
  ])('%s {%s} "%s" moves nothing', (name, keys, description) => {
    expect(asks(name, keys, description)).toBe(false);
  });

  it.each([
    ['create_transaction', 'payee_id amount account_id', 'Pay a payee'],
    ['create_transaction', 'payee_id amount account_id', ''],
    ['create_transaction', 'payee_name category_id amount', 'Sends money to a payee'],
    ['create_transaction', 'category_id amount', 'Create a transaction and pay the supplier'],
    ['create_transaction', 'category_id payee_iban amount', ''],
    ['create_transaction', 'category_id payee_account amount', ''],
    ['create_transaction', 'category_id beneficiary_id amount', ''],
    ['send_transaction', 'category_id amount', ''],
    ['execute_transaction', 'budget_id value', ''],
    ['approve_expense', 'category_id id', ''],
    ['process_deposit', 'category_id id', ''],
    ['create_expense_entry', 'category_id', 'Records an expense and reimburses the employee'],
  ])('%s {%s} "%s" may pay somebody', (name, keys, description) => {
    expect(asks(name, keys, description)).toBe(true);
  });
});

describe('an id and a name', () => {
  it.each([
    ['update_api_key', 'key_id name', 'Updates the name of an API key'],
    ['rename_webhook', 'id name', ''],
    ['update_campaign', 'campaign_id campaign_name', ''],
    ['create_role', 'realm name', 'Creates a role'],
  ])('%s {%s} "%s" renames', (name, keys, description) => {
    expect(asks(name, keys, description)).toBe(false);
  });

  it.each([
    ['update_owner', 'project_id owner_id owner_name', 'Change the owner'],
    ['update_owner', 'owner_id owner_name', ''],
    ['update_user_role', 'id role_name', ''],
    ['update_member_role', 'account id role_name', ''],
    ['update_role', 'account name', ''],
    ['update_role', 'team name', ''],
    ['update_team_access', 'team_id label', ''],
    ['update_access', 'project label', ''],
    ['update_plan', 'account plan_id plan_name', 'Switch plan'],
    ['update_plan', 'account plan_id plan_name', ''],
    ['update_subscription_plan', 'id plan_name', ''],
    ['add_user_role', 'account role_name', ''],
    ['add_member_role', 'id name', ''],
    ['create_user_role', 'account role_name', ''],
    ['update_api_key', 'key_id name', 'Share a key with somebody'],
    ['create_role', 'account name', 'Create a role and assign it to all users'],
  ])('%s {%s} "%s" gives it to somebody, or chooses another one', (name, keys, description) => {
    expect(asks(name, keys, description)).toBe(true);
  });
});

describe('an export', () => {
  it.each([
    ['export_table_to_json', 'table', 'Exports a table as JSON'],
    ['export_report', 'output_path', ''],
    ['export_chart', 'chart_id width', ''],
  ])('%s {%s} "%s" stays here', (name, keys, description) => {
    expect(asks(name, keys, description)).toBe(false);
  });

  it.each([
    ['export_keys_to_json', '', 'Export all secret keys'],
    ['export_keys_to_json', '', ''],
    ['export_wallet', 'output_path', ''],
    ['export_settings', 'output_path', 'Exports settings with the passwords'],
    ['export_users_to_csv', 'target', ''],
    ['export_users_to_csv', '', 'Exports users and uploads them to a public place'],
    ['export_insights', 'to', ''],
    ['export_chart', 's3_path', ''],
    ['export_image', 'ftp_host', ''],
    ['export_image', 'partner', ''],
    ['export_diagram', 'gist', ''],
    ['export_image', 'remote_path', ''],
  ])('%s {%s} "%s" goes elsewhere, or is a secret', (name, keys, description) => {
    expect(asks(name, keys, description)).toBe(true);
  });
});

describe('a reply to a comment', () => {
  it('on a document stays there, and one that strangers read does not', () => {
    expect(asks('reply_to_comment', 'file_id text')).toBe(false);
    expect(asks('reply_to_comment', 'page_id text')).toBe(true);
    expect(asks('reply_to_comment', 'file_id text', 'Replies publicly')).toBe(true);
    expect(asks('reply_to_instagram_comment', 'document_id text')).toBe(true);
  });
});

describe('keys of a keyboard', () => {
  it.each([
    ['send_keys', 'keys element', 'Sends keys to an element'],
    ['adb_send_key_event', 'key_code', ''],
  ])('%s {%s} "%s" are pressed', (name, keys, description) => {
    expect(asks(name, keys, description)).toBe(false);
  });

  it.each([
    ['send_keys', 'keys pane_id', 'Send keys to a tmux pane'],
    ['send_keys', 'keys session', 'Types into a terminal'],
    ['send_keys', 'keys recipient', ''],
    ['send_keys', 'keys', ''],
    ['send_api_key', 'id', ''],
    ['send_key', 'key_id', 'Sends a key to the customer'],
    ['send_keys', 'account', ''],
  ])('%s {%s} "%s" may be run, or be a secret', (name, keys, description) => {
    expect(asks(name, keys, description)).toBe(true);
  });
});

describe('an amount in a record', () => {
  it.each([
    ['create_deal', 'name amount currency stage', 'Creates a deal'],
    ['update_deal', 'id amount currency', ''],
    ['create_invoice', 'customer_id amount currency due_date', 'Create an invoice'],
    ['create_opportunity', 'amount currency', ''],
  ])('%s {%s} "%s" is written down', (name, keys, description) => {
    expect(asks(name, keys, description)).toBe(false);
  });

  it.each([
    ['create_invoice', 'amount currency auto_charge', ''],
    ['create_invoice', 'amount currency send_email', ''],
    ['create_invoice', 'amount currency payment_method', ''],
    ['create_invoice', 'amount currency', 'Creates an invoice and sends it to the customer'],
    ['create_invoice', 'amount currency', 'Create an invoice and charge the customer'],
    ['create_invoice', 'amount currency recipient', ''],
    ['create_invoice', 'amount currency customer_email', ''],
    ['send_invoice', 'amount currency', ''],
    ['pay_invoice', 'amount currency', ''],
    ['create_deal', 'amount currency wallet', ''],
  ])('%s {%s} "%s" is sent or charged', (name, keys, description) => {
    expect(asks(name, keys, description)).toBe(true);
  });
});

describe('a draft', () => {
  it.each([
    ['create_draft', 'to subject body', 'Creates a draft'],
    ['draft_email', 'to subject body', ''],
    ['update_email_template', 'id subject html', ''],
    ['create_draft', 'to body', 'Create a draft without sending it'],
    ['create_simulation', 'amount currency', ''],
  ])('%s {%s} "%s" reaches nobody', (name, keys, description) => {
    expect(asks(name, keys, description)).toBe(false);
  });

  it.each([
    ['launch_template', 'instance_type count', ''],
    ['create_template_email', 'recipients template_id', ''],
    ['apply_template', 'permissions user_id', ''],
    ['save_draft', 'id publish', ''],
    ['add_draft', 'to send_now', ''],
    ['push_draft', 'id', 'Push draft live'],
    ['update_draft', 'id', 'Update a draft and send it'],
    ['update_draft', 'id', 'Updates a draft and publishes it'],
    ['create_template', 'permissions user_id', ''],
    ['create_draft', 'amount currency recipient', ''],
    ['create_draft_payment', 'amount currency recipient', ''],
  ])('%s {%s} "%s" goes out', (name, keys, description) => {
    expect(asks(name, keys, description)).toBe(true);
  });
});
