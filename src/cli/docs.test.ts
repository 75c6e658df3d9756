import { describe, expect, it } from 'vitest';
import { fillMarkers } from './docs.ts';

const page = 'a\n<!-- plimsoll:tools -->\nold\n<!-- /plimsoll:tools -->\nz\n';

describe('fillMarkers', () => {
  it('replaces what is between the markers and nothing else, again and again', () => {
    const once = fillMarkers(page, { tools: 'NEW' });
    expect(once).toBe('a\n<!-- plimsoll:tools -->\n\nNEW\n\n<!-- /plimsoll:tools -->\nz\n');
    expect(fillMarkers(once ?? '', { tools: 'NEW' })).toBe(once);
  });

  it('says so when there is nowhere to write', () => {
    expect(fillMarkers('no markers', { tools: 'x' })).toBeUndefined();
  });
});
