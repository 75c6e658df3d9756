import { describe, expect, it } from 'vitest';
import { inferEffect } from './infer-effect.ts';

function read(name: string, description = ''): ReturnType<typeof inferEffect> {
  return inferEffect({ name, description });
}

describe('less common verbs', () => {
  it.each([
    'sculpt_mesh',
    'silence_alert',
    'blender_extrude_faces',
    'reposition_element',
    'recolor_layer',
    'cook_item',
    'use_workspace',
    'synchronise_folder',
    'revise_subscription_note',
  ])('%s is an ordinary change', (name) => {
    expect(read(name)).toMatchObject({ asks: false, effect: { tier: 'compute' } });
  });

  it.each(['decompile_class', 'lemmatize_words', 'slugify_title'])('%s reads', (name) => {
    expect(read(name)).toMatchObject({ asks: false, effect: { tier: 'read' } });
  });

  it.each([
    'eradicate_records',
    'redact_document',
    'unschedule_job',
    'repossess_device',
    'disclose_report',
    'restake_rewards',
    'summon_team',
    'construct_invitation',
    'revise_subscription',
    'spend_points',
    'allocate_device',
    'confiscate_item',
  ])('%s asks, whatever the description says', (name) => {
    expect(read(name).asks).toBe(true);
    expect(read(name, 'Gets the current state.').asks).toBe(true);
  });

  it('counts in a description only where an object follows', () => {
    expect(read('mesh_tool', 'Sculpts the surface of a mesh')).toMatchObject({
      asks: false,
      effect: { tier: 'compute' },
    });
    expect(read('mesh_tool', 'Level of detail').asks).toBe(true);
  });

  it('is a thing where a thing stands', () => {
    expect(read('cursor_position').asks).toBe(true);
    expect(read('chart', 'Gets a chart of the week').effect.tier).toBe('read');
  });
});

describe('a less common verb that is the whole name', () => {
  it('is one where the description uses it as such', () => {
    expect(read('continue', 'Continue playback').asks).toBe(false);
    expect(read('continue', '').asks).toBe(true);
    expect(read('continue', 'Playback').asks).toBe(true);
    expect(read('layer', 'Layer data').asks).toBe(true);
    expect(read('shift', 'Shift of a worker').asks).toBe(true);
    expect(read('erode', 'Erode terrain').asks).toBe(true);
  });
});
