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

  it('a joining word adds what follows it', () => {
    expect(read('search_and_replace').effect.act).not.toBe('read');
    expect(read('get_and_delete').asks).toBe(true);
  });
});
