import { describe, expect, it } from 'vitest';
import type { InferredEffect } from './infer-effect.ts';
import { inferEffect } from './infer-effect.ts';

const read = (name: string, description: string): InferredEffect =>
  inferEffect({ name, description });

describe('how a description begins', () => {
  it('may be a question, which the next sentence answers', () => {
    const shown = read('garden_seasonal', 'What grows now? Shows plants of the month.');
    expect(shown).toMatchObject({ asks: false, effect: { tier: 'read' } });
    expect(read('garden_seasonal', 'What grows now? Deletes the others.').asks).toBe(true);
    expect(read('garden_seasonal', 'What grows now?').asks).toBe(true);
  });

  it('may make what the name only mentions', () => {
    const made = read('page_note', 'Add a private note to a page');
    expect(made).toMatchObject({ asks: false, effect: { tier: 'compute' } });
    expect(read('page_note', 'Notes of a page').asks).toBe(true);
    expect(read('page_note', 'Delete a note').asks).toBe(true);
    expect(read('page_order', 'Add a page').asks).toBe(true);
    expect(read('rollover_index', 'Create a new index').asks).toBe(true);
  });

  it('may say how somebody is signed in or out, which replaces and removes nothing else', () => {
    expect(read('logout', 'Clear the stored session').asks).toBe(false);
    expect(read('logout', 'Revoke every token').asks).toBe(true);
    expect(read('clear_session', 'Log out').asks).toBe(true);
    expect(read('set_client', 'Save the credentials of a client').asks).toBe(false);
    expect(read('save_credentials', 'Set a client').asks).toBe(true);
  });

  it('may name what is returned of the thing that the tool is called by', () => {
    expect(read('parcel', 'Details of one parcel.')).toMatchObject({
      asks: false,
      effect: { tier: 'read' },
    });
    expect(read('parcel', 'Details of one box.').asks).toBe(true);
    expect(read('parcel', 'One parcel.').asks).toBe(true);
    expect(read('kubectl', 'Details of the kubectl command').asks).toBe(true);
    expect(read('payments', 'Details of payments').asks).toBe(true);
  });
});
