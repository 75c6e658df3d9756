import { describe, expect, it } from 'vitest';
import { inferLeavingWordsOut } from '../scripts/leave-words-out.ts';
import type { LabelledTool } from '../scripts/labelled-tools.ts';
import { inferEffect } from '../src/effect/infer/infer-effect.ts';

function serverOf(server: string, names: readonly string[]): readonly LabelledTool[] {
  const list = names.map((name) => ({ name, description: 'Of a server' }));
  return list.map((tool) => ({
    label: { list: server, tool: tool.name, tier: 'write' },
    tool,
    list,
    isSure: true,
  }));
}

describe('leaving words out', () => {
  const labelled = [
    ...serverOf('one', ['upload_file', 'nudge_card', 'delete_file']),
    ...serverOf('two', ['upload_image', 'delete_image']),
  ];

  it('a word that one server uses is unknown there, and one that two use is known', () => {
    const unsure = inferLeavingWordsOut(labelled, 1).map(({ confidence }) => confidence < 0.5);
    expect(unsure).toEqual([false, true, false, false, false]);
    expect(
      inferLeavingWordsOut(labelled, 2).every(({ reasons }) => reasons[0]?.code !== 'verb'),
    ).toBe(true);
  });

  it('puts every word back', () => {
    inferLeavingWordsOut(labelled, 2);
    expect(labelled.map(({ tool }) => inferEffect(tool).asks)).toEqual([
      false,
      false,
      true,
      false,
      true,
    ]);
  });
});
