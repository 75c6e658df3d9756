import { describe, expect, it } from 'vitest';
import type { InferredEffect } from './infer-effect.ts';
import { inferEffect } from './infer-effect.ts';

interface Tool {
  readonly name: string;
  readonly description?: string;
  readonly annotations?: object;
}

const warning = { destructiveHint: true };
const warned = (...names: readonly string[]): readonly Tool[] =>
  names.map((name) => ({ name, annotations: warning }));

function tell(name: string, list: readonly Tool[]): InferredEffect {
  return inferEffect(
    list.find((one) => one.name === name),
    {},
    list,
  );
}

describe('a hint on everything', () => {
  const list = warned('update_a', 'update_b', 'rename_c', 'delete_d', 'get_e');

  it('is no warning, and the reasons say so', () => {
    const told = tell('update_a', list);
    expect(told).toMatchObject({ asks: false, effect: { tier: 'compute' } });
    expect(told.reasons.map(({ code }) => code)).toContain('claim-says-nothing');
    expect(tell('get_e', list).asks).toBe(false);
  });

  it('takes nothing away from what the text says', () => {
    expect(tell('delete_d', list)).toMatchObject({ asks: true });
  });

  it('is one where it tells tools apart', () => {
    const some = [...warned('update_a'), { name: 'update_b' }, { name: 'rename_c' }];
    expect(tell('update_a', some)).toMatchObject({ asks: true, effect: { tier: 'destructive' } });
  });

  it('of changes says nothing about additions', () => {
    const some = [...warned('update_a', 'update_b', 'rename_c', 'add_d'), { name: 'create_e' }];
    expect(tell('add_d', some).asks).toBe(true);
    expect(tell('update_a', some).asks).toBe(false);
  });

  it('does not replace a tier that asks already', () => {
    expect(inferEffect({ name: 'send_email', annotations: warning }).effect.tier).toBe(
      'share_export',
    );
  });

  it('still counts by itself', () => {
    expect(inferEffect({ name: 'update_a', annotations: warning }).asks).toBe(true);
  });
});

describe('what all tools of a list begin with', () => {
  const vendor = (name: string, description: string): Tool => ({
    name: `AcmeApiV2--${name}`,
    description: `Part of the telephony reference of Acme. ${description}`,
  });
  const list = [
    vendor('ListCall', 'Retrieves the calls.'),
    vendor('UpdateStream', 'Stop a stream.'),
    vendor('CreateAddress', 'Create an address.'),
    vendor('FetchAddress', 'Fetch an address.'),
    vendor('DeleteAddress', 'Delete an address.'),
  ];

  it('is not read: the own name and the own description count', () => {
    expect(tell('AcmeApiV2--ListCall', list)).toMatchObject({ asks: false });
    expect(tell('AcmeApiV2--UpdateStream', list)).toMatchObject({ asks: true });
    expect(tell('AcmeApiV2--CreateAddress', list)).toMatchObject({ asks: false });
    expect(tell('AcmeApiV2--DeleteAddress', list).effect.act).toBe('delete');
  });

  it('is read where it is a verb', () => {
    const senders = ['a', 'b', 'c', 'd', 'e'].map((what) => ({ name: `send_${what}_list` }));
    expect(tell('send_a_list', senders).asks).toBe(true);
  });

  it.each(['d\u0435lete_', 'borrar_', 'удалить_', 'de1ete_', 'dlt_', 'd\u2800elete_'])(
    'is read where it is a verb in disguise or of another language: %s',
    (prefix) => {
      const tools = ['user_list', 'team_status', 'order_info', 'item_count', 'page_history'];
      const names = tools.map((name) => ({ name: `${prefix}${name}` }));
      for (const { name } of names) expect(tell(name, names).asks).toBe(true);
    },
  );

  it.each([
    'Charges 5 credits to your account per call.',
    'Permanently deletes all existing data.',
    'Warning: this removes the old rows.',
    'Part of Acme, and sends the result to all members.',
  ])('is read where it says what is done: %s', (sentence) => {
    const names = ['get_a', 'get_b', 'get_c', 'sync_d', 'sync_e'];
    const tools = names.map((name) => ({ name, description: `${sentence} Returns a ${name}.` }));
    expect(tell('sync_d', tools).asks).toBe(inferEffect(tools[3]).asks);
    expect(tell('get_a', tools).asks).toBe(inferEffect(tools[0]).asks);
    expect(tell('sync_d', tools).asks).toBe(true);
  });

  it('is none on a read where every tool has it', () => {
    expect(tell('get_a', warned('get_a', 'get_b', 'create_order')).asks).toBe(false);
    expect(tell('get_a', [...warned('get_a', 'get_b'), { name: 'create_order' }]).asks).toBe(true);
    expect(tell('create_order', warned('get_a', 'get_b', 'create_order')).asks).toBe(true);
  });

  it('is none where a sibling takes back what the tool does', () => {
    const others = [...warned('archive_item', 'delete_item'), { name: 'list_items' }];
    expect(tell('archive_item', others).asks).toBe(true);
    const paired = [...others, { name: 'unarchive_item' }];
    expect(tell('archive_item', paired).asks).toBe(false);
    expect(tell('delete_item', paired).asks).toBe(true);
    const apart = { name: 'unarchive_item', annotations: { destructiveHint: false } };
    expect(tell('archive_item', [...others, apart]).asks).toBe(true);
  });

  it('is none on an update whose addition has the hint false: that is how the protocol defines it', () => {
    const additive = { destructiveHint: false };
    const others = [
      ...warned('update_item', 'rebuild_item'),
      { name: 'update_user' },
      { name: 'update_group' },
    ];
    expect(tell('update_item', others).asks).toBe(true);
    const paired = [...others, { name: 'create_item', annotations: additive }];
    const told = tell('update_item', paired);
    expect(told).toMatchObject({ asks: false, effect: { tier: 'compute' } });
    expect(told.reasons.map(({ code }) => code)).toContain('claim-says-nothing');
    expect(tell('rebuild_item', paired).asks).toBe(true);
  });
});

describe('what another tool lets out', () => {
  it.each([
    ['Creates and launches a campaign', ''],
    ['Create and start a campaign', ''],
    ['Creates a campaign with paid ads; spend starts right away', ''],
    ['Creates a campaign, which goes live immediately', ''],
    ['', 'send_at'],
    ['', 'scheduled_at'],
    ['', 'scheduled_for'],
    ['', 'schedule'],
    ['', 'bid'],
    ['', 'spend_cap'],
  ])('goes out at once: "%s" {%s}', (description, key) => {
    const inputSchema = { type: 'object', properties: { title: {}, [key]: {} } };
    const tool = { name: 'create_campaign', description, inputSchema };
    expect(inferEffect(tool, {}, [tool, { name: 'launch_campaign' }]).asks).toBe(true);
  });

  const asks = (others: readonly string[], ...keys: readonly string[]): boolean => {
    const properties = Object.fromEntries(keys.map((key) => [key, {}]));
    const tool = { name: 'create_broadcast', inputSchema: { type: 'object', properties } };
    return inferEffect(tool, {}, [tool, ...others.map((name) => ({ name }))]).asks;
  };

  it('is only prepared by the one that makes it', () => {
    expect(asks(['send_broadcast'], 'subject')).toBe(false);
    expect(asks([], 'subject')).toBe(true);
    expect(asks(['schedule_broadcast'], 'subject')).toBe(true);
    expect(asks(['send_invoice'], 'subject')).toBe(true);
  });

  it('unless an argument lets it out at once, or names who receives it', () => {
    expect(asks(['send_broadcast'], 'subject', 'send_now')).toBe(true);
    expect(asks(['send_broadcast'], 'subject', 'status')).toBe(true);
    expect(asks(['send_broadcast'], 'subject', 'recipients')).toBe(true);
  });

  it('is not a payment or a message', () => {
    const list = ['create_payment', 'send_payment', 'create_message', 'send_message'];
    const tools = list.map((name) => ({ name }));
    expect(inferEffect(tools[0], {}, tools).asks).toBe(true);
    expect(inferEffect(tools[2], {}, tools).asks).toBe(true);
  });
});
