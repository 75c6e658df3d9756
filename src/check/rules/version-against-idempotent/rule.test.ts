import { describe, expect, it } from 'vitest';
import { codesOf, goodTool } from '../../../../test/support/try-rule.ts';
import { rule } from './rule.ts';

const taking = (name: string, parameter: string, idempotentHint: unknown = true): unknown =>
  goodTool({
    name,
    title: undefined,
    description: undefined,
    annotations: { idempotentHint },
    inputSchema: {
      type: 'object',
      properties: { id: { type: 'string' }, [parameter]: { type: 'string' } },
    },
  });

describe('version-against-idempotent', () => {
  it.each(['etag', 'if_match', 'ifMatch', 'expected_version', 'lock_version'])(
    'finds %s on a write',
    (parameter) => {
      expect(codesOf(rule, [taking('update_note', parameter)])).toHaveLength(1);
    },
  );

  it('leaves reads, other parameters and other hints alone', () => {
    const tools = [
      taking('get_note', 'etag'),
      taking('update_note', 'text'),
      taking('update_package', 'version'),
      taking('update_note', 'etag', false),
      taking('update_note', 'etag', null),
    ];
    expect(codesOf(rule, tools)).toEqual([]);
  });
});
