/** A thousand updates of one note at once: every lost one is refused, none is silently dropped. */
import { expect, it } from 'vitest';
import { openTestGroupware } from './test-groupware.ts';

const UPDATES = 1000;

it('R109: of 1,000 updates with one etag, one is done and 999 are refused with the current etag', async () => {
  await using groupware = await openTestGroupware();
  const fields = { title: 'Shared', content: 'start', category: '' };
  const { body: note } = await groupware.call('nc_notes_create_note', fields);
  const note_id = note['id'];
  const answers = await Promise.all(
    Array.from({ length: UPDATES }, (_, index) =>
      groupware.call('nc_notes_update_note', {
        note_id,
        etag: note['etag'],
        content: `update ${index}`,
      }),
    ),
  );
  const [done, ...others] = answers.filter(({ status }) => status === 200);
  expect(others).toEqual([]);
  const refused = answers.filter(({ status }) => status === 412);
  expect(refused).toHaveLength(UPDATES - 1);
  expect(new Set(refused.map(({ body }) => body['current']))).toEqual(
    new Set([done?.body['etag']]),
  );
  const { body } = await groupware.call('nc_notes_get_note', { note_id });
  expect(body).toEqual(done?.body);
}, 120_000);

it('updates by people who read again when they are refused are all there in the end', async () => {
  await using groupware = await openTestGroupware();
  const fields = { title: 'Shared', content: '', category: '' };
  const { body: note } = await groupware.call('nc_notes_create_note', fields);
  const note_id = note['id'];
  let refusals = 0;
  const addLine = async (line: string): Promise<void> => {
    for (;;) {
      const { body } = await groupware.call('nc_notes_get_note', { note_id });
      const content = `${String(body['content'])}${line}\n`;
      const { status } = await groupware.call('nc_notes_update_note', {
        note_id,
        etag: body['etag'],
        content,
      });
      if (status === 200) return;
      expect(status).toBe(412);
      refusals += 1;
    }
  };
  const people = Array.from({ length: 6 }, async (_, person) => {
    for (let times = 0; times < 5; times += 1) await addLine(`${person}/${times}`);
  });
  await Promise.all(people);
  const { body } = await groupware.call('nc_notes_get_note', { note_id });
  const lines = String(body['content']).trimEnd().split('\n');
  expect(new Set(lines).size).toBe(30);
  expect(lines).toHaveLength(30);
  expect(refusals).toBeGreaterThan(0);
});
