import { describe, expect, it } from 'vitest';
import { inferEffect } from './infer-effect.ts';

function asks(name: string, description = ''): boolean {
  return inferEffect({ name, description }).asks;
}

describe('what is taken out of a collection', () => {
  it.each([
    'remove_item_from_cart',
    'remove_tracks_from_playlist',
    'remove_from_watchlist',
    'remove_issue_from_project',
    'remove_issue_from_sprint',
    'remove_label_from_issue',
    'remove_tag',
    'remove_relation',
    'unset_issue_assignee',
  ])('%s still exists', (name) => {
    expect(asks(name)).toBe(false);
  });

  it.each([
    'remove_secret_from_project',
    'remove_deployment_from_project',
    'remove_branch_from_project',
    'remove_domain_from_project',
    'remove_backup_from_set',
    'remove_message_from_queue',
    'remove_vectors_from_collection',
    'remove_all_from_collection',
    'remove_all_items_from_list',
    'remove_attachment_from_issue',
    'remove_comment_from_task',
    'remove_attachment_from_list',
    'remove_task_from_database',
    'remove_ip_from_list',
    'remove_page_from_project',
    'remove_vote_account',
    'remove_card_pin',
    'remove_customer_relationship',
    'remove_tag_manager_container',
  ])('%s exists only there', (name) => {
    expect(asks(name)).toBe(true);
  });
});

describe('plain verbs that take something down, or run it', () => {
  it.each([
    'turn_off_server',
    'switch_off_vm',
    'take_offline',
    'take_site_down',
    'scale_to_zero',
    'scale_service_to_0',
    'rebuild_server',
    'mark_as_deleted',
    'garbage_collect',
    'git_restore',
    'git_restore_path',
    'revert_file',
    'revert_changes',
    'confirm_action',
    'find_and_run_tool',
    'ask_agent',
    'load_plugin',
    'find_replace_all',
    'search_and_delete',
    'search_and_run',
    'mark_for_deletion',
    'revert_all',
    'git_checkout_file',
    'confirm_operation',
    'post_summary',
    'email_invoice_report',
  ])('%s asks', (name) => {
    expect(asks(name)).toBe(true);
  });

  it('whatever a description adds', () => {
    expect(asks('ask_agent', 'Ask an agent to do something')).toBe(true);
    expect(asks('load_plugin', 'Load and run a plugin')).toBe(true);
    expect(asks('find_replace_all', 'Finds the pattern and replaces it in all files')).toBe(true);
    expect(asks('email_summary', 'The summary as an email to all members')).toBe(true);
  });

  it.each([
    ['turn_off_light', ''],
    ['rebuild_index', ''],
    ['collect_metrics', ''],
    ['load_page', ''],
    ['find_tools', ''],
    ['ask_question', ''],
    ['email_report', 'Gets the report of an email'],
    ['email_stats', ''],
    ['post_stats', ''],
    ['post_summary', 'Gets the summary of a post'],
    ['confirm_appointment', ''],
    ['message_history', ''],
    ['revert_edit', ''],
    ['remove_filter', ''],
    ['clear_formatting', ''],
    ['remove_background', ''],
    ['order_by', 'Orders the rows by a column'],
    ['kubectl_logs', 'Logs of a pod'],
  ])('%s does not', (name, description) => {
    expect(asks(name, description)).toBe(false);
  });

  it('a forwarding address in a rule is one that mail goes to', () => {
    const tool = (name: string, properties: object): boolean =>
      inferEffect({ name, inputSchema: { type: 'object', properties } }).asks;
    expect(tool('create_rule', { forward_to: {} })).toBe(true);
    const action = { properties: { forward: {}, delete: { type: 'boolean' } } };
    expect(tool('create_filter', { action })).toBe(true);
    expect(tool('create_rule', { name: {} })).toBe(false);
    expect(tool('list_rules', { forward_to: {} })).toBe(false);
  });
});

describe('a thing that is told of', () => {
  it.each([
    ['account_closure', 'Details for the account closure'],
    ['liquidation', 'Details of a liquidation'],
    ['evictions', 'Evictions'],
    ['user_offboarding', 'Status of user offboarding'],
  ])('%s "%s" may be a deed', (name, description) => {
    expect(asks(name, description)).toBe(true);
  });
});
