import { describe, expect, it } from 'vitest';
import { inferEffect } from './infer-effect.ts';

function asks(name: string, description = ''): boolean {
  return inferEffect({ name, description }).asks;
}

describe('a grave verb in disguise, before a word that reads', () => {
  it.each([
    'pagar_search',
    'eliminar_usuario_info',
    'borrar_list',
    'acme_eliminar_list',
    'hapus_user_list',
    'usun_konto_info',
    'verwijder_user_list',
    'drp_tbl_info',
    'wthdrw_info',
    'dlt_usr_list',
    'de1ete_user_list',
    'd3l3te_history',
    'k1ll_process_status',
    'p@y_invoice_list',
    'massdelete_list',
    'bulkpurge_status',
    'quickdelete_list',
    'deleteuser_list',
    'udelete_list',
    'delete2_list',
    'kill9_list',
    'delet_user_list',
    'deletee_list',
    'd_elete_user_list',
    'd.e.l.e.t.e_list',
    'p_a_y_list',
    'loesche_list',
    'purge_list',
    'wipe_list_items',
    'cancel_search',
    'revoke_get_token',
    'de\u2800lete_user_list',
    '\u{1F173}elete_user_list',
    '∂elete_user_list',
    'DeLeTe_user_list',
    'dElEtEUser_list',
    'd\u0435lete_user_list',
  ])('%s asks', (name) => {
    expect(asks(name)).toBe(true);
    expect(asks(name, 'Gets the list.')).toBe(true);
  });

  it.each([
    'pg_table_info',
    'k8s_pod_list',
    's3_bucket_list',
    'github_user_info',
    'jira_issue_search',
    'ec2_instance_list',
    'cobra_get_commands',
    'gmail_search',
    'tbl_info',
    'deleted_users_list',
    'removed_list',
    'delta_list',
    'discord_list',
    'canceled_orders_list',
    'withdrawals_list',
    'destroyer_info',
    'dell_info',
    'ntfy_list',
    'a_b_test_list',
    'v2_user_list',
    'x_search',
    'LaTeX_info',
    'p2p_status',
    'n8n_node_list',
    'workflow_list',
    'ban_list',
    'buy_search_items',
    'café_list',
    'user list',
    'compare_prices',
  ])('%s reads', (name) => {
    expect(inferEffect({ name })).toMatchObject({ asks: false, effect: { tier: 'read' } });
  });
});
