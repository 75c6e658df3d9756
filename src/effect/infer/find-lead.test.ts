import { describe, expect, it } from 'vitest';
import { inferEffect } from './infer-effect.ts';

const tierOf = (name: string, description = ''): string =>
  inferEffect({ name, description }).effect.tier;

describe('the verb that leads a name', () => {
  it('follows the name of a server that would pass for one, where it can be no noun', () => {
    expect(tierOf('trash_compare_settings')).toBe('read');
    expect(tierOf('stripe_purge_describe')).toBe('destructive');
    expect(tierOf('cancel_check_job')).toBe('destructive');
    expect(tierOf('cancel_scan')).toBe('destructive');
    expect(tierOf('delete_compare_list')).toBe('destructive');
  });
});

describe('an object that is milder than its neighbours', () => {
  it('a marker is only a marker, whatever it is put on', () => {
    expect(tierOf('firewall_add_tags')).toBe('compute');
    expect(tierOf('add_label_to_webhook')).toBe('compute');
    expect(tierOf('firewall_add_rules')).toBe('share_export');
    expect(tierOf('add_public_label')).not.toBe('read');
    expect(tierOf('add_webhook')).toBe('share_export');
  });

  it('a sitemap is handed in, an order is placed', () => {
    expect(tierOf('submit_sitemap')).toBe('compute');
    expect(tierOf('submit_order')).toBe('external_spend');
  });

  it('what is drawn or cooked is scaled for nothing', () => {
    expect(tierOf('dish_scale', 'Scale a recipe up or down')).toBe('compute');
    expect(tierOf('shop_scale', 'Scale a cluster up or down')).toBe('external_spend');
  });
});
