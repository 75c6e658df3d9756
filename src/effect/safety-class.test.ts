import { describe, expect, it } from 'vitest';
import { checkClassLists, expandNames, safetyClassOf } from './safety-class.ts';

const read = { readOnlyHint: true, destructiveHint: false };
const write = { readOnlyHint: false, destructiveHint: false };
const grave = { readOnlyHint: false, destructiveHint: true };

describe('classes by safety', () => {
  it('follow from the hints as sent, and an absent hint counts as the worst', () => {
    expect(safetyClassOf(read)).toBe('safe');
    expect(safetyClassOf(write)).toBe('mutating');
    expect(safetyClassOf(grave)).toBe('needs-approval');
    expect(safetyClassOf({ readOnlyHint: false })).toBe('needs-approval');
    expect(safetyClassOf({})).toBe('needs-approval');
  });

  it('expand names and beginnings of names, each tool once', () => {
    const names = ['ping', 'list_notes', 'list_tags', 'pings', 'delete_note'];
    expect(expandNames(['list_*', 'ping', 'list_notes'], names)).toEqual([
      'ping',
      'list_notes',
      'list_tags',
    ]);
  });

  it('find a list that contradicts a tool, and a pattern without a tool', () => {
    const tools = [
      { name: 'list_notes', hints: read },
      { name: 'list_clear', hints: grave },
    ];
    expect([...checkClassLists({ safe: ['list_*'], mutating: ['set_*'] }, tools)]).toEqual([
      {
        kind: 'contradicts',
        message: 'list_clear is listed as safe, but its hints say needs-approval',
      },
      { kind: 'matches-nothing', message: '"set_*" is listed as mutating, but matches no tool' },
    ]);
    expect([...checkClassLists({ 'needs-approval': ['list_clear'] }, tools)]).toEqual([]);
  });
});
