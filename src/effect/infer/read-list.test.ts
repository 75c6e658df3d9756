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
