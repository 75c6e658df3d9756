import { describe, expect, it } from 'vitest';
import { inferEffect } from './infer-effect.ts';

function read(name: string, more: object = {}): ReturnType<typeof inferEffect> {
  return inferEffect({ name, ...more });
}

describe('naming styles', () => {
  it.each([
    'delete_user',
    'deleteUser',
    'users.delete',
    'acme-delete-user',
    'USER_DELETE',
    'deleteuser',
  ])('%s deletes', (name) => {
    expect(read(name)).toMatchObject({
      asks: true,
      effect: { act: 'delete', tier: 'destructive' },
    });
  });

  it.each(['list_sends', 'get_order', 'orders.list', 'acme_listDeletedUsers', 'getuser'])(
    '%s reads',
    (name) => {
      expect(read(name)).toMatchObject({ asks: false, effect: { act: 'read', tier: 'read' } });
    },
  );

  it.each([
    'build_delete',
    'acmeUnschedulePost',
    'page-remover',
    'set_auto_reply',
    'schedule_send',
  ])('%s asks', (name) => {
    expect(read(name).asks).toBe(true);
  });

  it('a title raises what the name says, and lowers nothing', () => {
    expect(read('notes_tool', { title: 'Delete all notes', description: 'Shows notes' }).asks).toBe(
      true,
    );
    expect(read('delete_notes', { title: 'List notes' }).asks).toBe(true);
  });

  it('a word further on in a title of another language is no verb of ours', () => {
    expect(read('add_to_group', { title: 'Dodaj do grupy' }).asks).toBe(false);
    expect(read('frob', { title: 'Do anything', description: 'Frob' }).asks).toBe(true);
  });

  it('what a user defines is no user', () => {
    const description = 'Add a User Defined Variables element to the given parent.';
    expect(read('add_user_defined_variables', { description }).asks).toBe(false);
    expect(read('add_user', { description: 'Add a user to the given account.' }).asks).toBe(true);
  });

  it('a joining word adds what follows it', () => {
    expect(read('search_and_replace').effect.act).not.toBe('read');
    expect(read('get_and_delete').asks).toBe(true);
  });
});

describe('the object is the last noun, and the others describe it', () => {
  it.each([
    ['create_payment', 'external_spend'],
    ['create_payment_note', 'compute'],
    ['create_payment_intent', 'external_spend'],
    ['create_message', 'share_export'],
    ['create_message_feedback', 'compute'],
    ['createCredential', 'share_export'],
    ['create_credential_list', 'compute'],
    ['credentials.create', 'share_export'],
    ['create_public_form', 'share_export'],
    ['create_webhook_endpoint', 'share_export'],
    ['create_key_pair_for_team', 'share_export'],
    ['launch_vm_from_template', 'external_spend'],
    ['create_instance_label', 'compute'],
    ['upload_profile_image', 'compute'],
    ['upload_video', 'share_export'],
  ])('%s: %s', (name, tier) => {
    expect(read(name).effect.tier).toBe(tier);
  });

  it.each([
    ['update_member', 'compute'],
    ['update_api_key', 'compute'],
    ['update_campaign', 'compute'],
    ['update_bank_transaction', 'compute'],
    ['update_permissions', 'share_export'],
    ['update_webhook', 'share_export'],
    ['update_subscription', 'external_spend'],
    ['set_daily_budget', 'external_spend'],
  ])(
    'what is changed was given away when it was made, unless more is given: %s: %s',
    (name, tier) => {
      expect(read(name).effect.tier).toBe(tier);
    },
  );
});

describe('words that only look like verbs', () => {
  it.each([
    ['create_design', 'compute'],
    ['update_resort', 'compute'],
    ['create_exercise_template', 'compute'],
    ['create_override', 'compute'],
    ['tunnel_close', 'compute'],
    ['tip_creator', 'external_spend'],
    ['create_and_send_invoice', 'share_export'],
    ['autofix_workflow', 'compute'],
    ['removeAContactFromATagV1', 'compute'],
    ['crm_tag_contact', 'compute'],
    ['update_reply', 'compute'],
    ['create_reply', 'share_export'],
    ['send_text_with_failover', 'share_export'],
    ['unrepost_item', 'compute'],
  ])('%s: %s', (name, tier) => {
    expect(read(name)).toMatchObject({ asks: tier !== 'compute', effect: { tier } });
  });
});

describe('verbs that depend on what they are done to', () => {
  it.each([
    ['remove_track_from_playlist', 'compute'],
    ['remove_user_from_group', 'destructive'],
    ['remove_track', 'destructive'],
    ['swap_rows', 'compute'],
    ['swap_tokens', 'external_spend'],
    ['claim_task', 'compute'],
    ['claim_rewards', 'external_spend'],
    ['provision_server', 'external_spend'],
    ['provision_user', 'share_export'],
    ['provision_board', 'compute'],
    ['start_container', 'compute'],
    ['start_vm', 'external_spend'],
    ['scale_object', 'compute'],
    ['scale_up_cluster', 'external_spend'],
    ['apply_texture', 'compute'],
    ['apply_migration', 'destructive'],
    ['create_customer_and_subscribe', 'external_spend'],
    ['clear_cache', 'compute'],
    ['purge_cache', 'destructive'],
    ['import_csv', 'compute'],
    ['import_database', 'destructive'],
    ['set_monthly_budget', 'compute'],
    ['update_campaign_budget', 'external_spend'],
    ['activate_alert', 'compute'],
    ['activate_campaign', 'share_export'],
    ['upgrade_package', 'compute'],
    ['upgrade_plan', 'external_spend'],
    ['resolve_thread', 'compute'],
    ['resolve_username', 'read'],
    ['authorize_security_group_ingress', 'share_export'],
    ['assign_ticket_to_agent', 'compute'],
    ['create_component_instance', 'compute'],
    ['accept_payment_dispute', 'external_spend'],
    ['create_notification_destination', 'share_export'],
    ['create_email_address', 'compute'],
    ['clear_presence', 'compute'],
    ['release_number', 'destructive'],
    ['withdraw_offer', 'destructive'],
    ['withdraw_funds', 'external_spend'],
    ['post_record', 'compute'],
    ['post_status', 'share_export'],
    ['unapprove_request', 'compute'],
    ['batch_create', 'compute'],
    ['create_batch', 'external_spend'],
    ['logout', 'compute'],
    ['logout_user', 'destructive'],
    ['sign_out_all_devices', 'destructive'],
    ['sign_in', 'compute'],
    ['start_oauth_flow', 'compute'],
    ['start_flow', 'external_spend'],
    ['generate_map_image', 'compute'],
    ['generate_image', 'external_spend'],
    ['create_mock_server', 'compute'],
    ['merge_polygons', 'compute'],
    ['merge_customers', 'destructive'],
    ['clear_console', 'compute'],
    ['clear_table', 'destructive'],
    ['remove_breakpoint', 'compute'],
    ['delete_reaction', 'compute'],
    ['end_session', 'compute'],
    ['end_user_session', 'destructive'],
    ['disconnect', 'compute'],
    ['disconnect_user', 'destructive'],
    ['set_position', 'compute'],
    ['update_position', 'external_spend'],
    ['submit_feedback', 'compute'],
    ['submit_feedback_to_customer', 'share_export'],
    ['migrate_database', 'destructive'],
    ['set_bucket_policy', 'share_export'],
    ['set_bucket_lifecycle', 'destructive'],
    ['change_server_type', 'external_spend'],
    ['create_tweet_thread', 'share_export'],
    ['create_merge_request_thread', 'compute'],
    ['rescan_library', 'compute'],
    ['add_person_to_account', 'share_export'],
    ['add_user_to_card', 'compute'],
    ['retry_payment', 'external_spend'],
    ['retry_request', 'compute'],
    ['hotel_book', 'external_spend'],
    ['fetch_order_book', 'read'],
    ['mint_info', 'read'],
    ['invite_status', 'read'],
    ['invite_user', 'share_export'],
    ['create_order_request', 'external_spend'],
    ['post_process_image', 'compute'],
    ['submit_thought', 'compute'],
    ['submit_thought_to_customer', 'share_export'],
    ['cancel_selection', 'compute'],
    ['cancel_edit_job', 'destructive'],
    ['order_tasks', 'compute'],
    ['order_items', 'external_spend'],
    ['edit_image_metadata', 'compute'],
    ['generate_image_from_prompt', 'external_spend'],
    ['create_notification_rule', 'compute'],
    ['create_forwarding_rule', 'share_export'],
    ['create_design_token', 'compute'],
    ['trigger_refresh', 'compute'],
    ['update_bank_details', 'external_spend'],
    ['make_offer', 'external_spend'],
    ['spawn_agent', 'external_spend'],
    ['rewrite_history', 'destructive'],
    ['checkout_branch', 'compute'],
    ['promote_replica', 'destructive'],
    ['alter_role', 'share_export'],
    ['freeze_account', 'destructive'],
    ['freeze_panes', 'compute'],
    ['comment_on_post', 'share_export'],
    ['comment_on_issue', 'compute'],
    ['apply_credit', 'external_spend'],
    ['write_off_invoice', 'external_spend'],
    ['start_trial', 'external_spend'],
    ['increase_budget', 'external_spend'],
    ['modify_booking', 'external_spend'],
    ['start_rollout', 'share_export'],
    ['switch_traffic', 'share_export'],
    ['lock_account', 'destructive'],
    ['lock_door', 'compute'],
    ['enable_maintenance', 'destructive'],
    ['answer_customer', 'share_export'],
    ['leave_group', 'destructive'],
    ['share_draft', 'share_export'],
    ['order_update', 'external_spend'],
    ['clear_cache_and_data', 'destructive'],
    ['export_thumbnail', 'compute'],
    ['create_cancellation', 'destructive'],
    ['submit_removal', 'destructive'],
    ['initiate_disbursement', 'external_spend'],
    ['create_revocation', 'destructive'],
    ['start_forwarding', 'share_export'],
    ['create_cancellation_reason', 'compute'],
    ['create_rotation', 'compute'],
    ['create_annotation', 'compute'],
    ['edit_send', 'compute'],
    ['edit_and_send', 'share_export'],
    ['cancel_order_status', 'read'],
    ['acme_refund_history', 'read'],
    ['cancel_quote', 'destructive'],
    ['clear_history', 'destructive'],
    ['recipe_crud_get_one', 'read'],
    ['recipe_crud_delete_one', 'destructive'],
    ['recipe_crud', 'destructive'],
    ['add_to_blacklist', 'compute'],
    ['blacklist_number', 'destructive'],
    ['add_to_whitelist', 'share_export'],
    ['send_heartbeat', 'compute'],
    ['send_ping_email', 'share_export'],
    ['renew_lease', 'compute'],
    ['renew_domain', 'external_spend'],
    ['push_draft', 'compute'],
    ['set_layer_visibility', 'compute'],
    ['set_repository_visibility', 'share_export'],
    ['run_complete', 'compute'],
    ['run_upsert', 'compute'],
    ['run_build', 'external_spend'],
    ['update_category_permission', 'share_export'],
    ['update_category', 'compute'],
    ['remove_label', 'compute'],
    ['remove_shared_label', 'destructive'],
    ['vacuum_database', 'compute'],
  ])('%s: %s', (name, tier) => {
    expect(read(name).effect.tier).toBe(tier);
  });

  it('replacing is to put, and asks', () => {
    expect(read('replace_page')).toMatchObject({ asks: true, effect: { act: 'put' } });
    const description = 'Creates a file, or completely overwrites one.';
    expect(read('write_file', { description })).toMatchObject({
      asks: true,
      effect: { act: 'put', tier: 'destructive' },
    });
  });
});
