import { describe, expect, it } from 'vitest';
import { toSubject } from '../subject.ts';
import { toToolDetails } from './to-tool-details.ts';

describe('toToolDetails', () => {
  const tools = [
    { name: 'get_note', annotations: { readOnlyHint: true, openWorldHint: 'no' } },
    { name: 'add_note' },
    null,
  ];
  const lines = toToolDetails(toSubject('notes', tools)).split('\n');

  it('shows each hint as it was said, unsaid or no boolean', () => {
    expect(lines[0]).toBe('Tool      readOnlyHint  destructiveHint  idempotentHint  openWorldHint');
    expect(lines[1]?.split(/ {2,}/)).toEqual(['get_note', 'true', '—', '—', 'no boolean']);
    expect(lines[2]?.split(/ {2,}/)).toEqual(['add_note', '—', '—', '—', '—']);
  });

  it('tells below it what each host does', () => {
    expect(lines.some((line) => /^ {5}add_note +asks/.test(line))).toBe(true);
    expect(lines.some((line) => /^ {5}get_note +\?/.test(line))).toBe(true);
  });
});
