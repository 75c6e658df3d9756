import { describe, expect, it } from 'vitest';
import type { Cell } from './cells.ts';
import { CELLS, SELECTED } from './cells.ts';
import { compareTraces, judge } from './compare.ts';
import type { StepTrace } from './trace.ts';

const [cell] = CELLS as readonly [Cell, ...Cell[]];

function trace(text: string, more: Partial<StepTrace> = {}): StepTrace {
  const response = { content: [{ type: 'text', text }] };
  const received = { response: [response] };
  return { step: 'a/b', outcome: response, received, order: 'response', texts: [], ...more };
}

describe('two traces', () => {
  it('are equal, or differ value by value', () => {
    expect(compareTraces([trace('x')], [trace('x')])).toEqual([]);
    expect(compareTraces([trace('x')], [trace('y', { order: 'response response' })])).toEqual([
      { step: 'a/b', path: '.outcome.content[0].text', direct: 'x', gated: 'y' },
      { step: 'a/b', path: '.received.response[0].content[0].text', direct: 'x', gated: 'y' },
      { step: 'a/b', path: '.order', direct: 'response', gated: 'response response' },
    ]);
  });

  it('differ where equal values are spelled differently', () => {
    const [one, other] = ['{"a":1.0}', '{"a":1}'] as const;
    expect(compareTraces([trace('x', { texts: [one] })], [trace('x', { texts: [other] })])).toEqual(
      [{ step: 'a/b', path: 'text[0]', direct: one, gated: other }],
    );
  });

  it('differ where a message is missing, and where a step was not run', () => {
    const missing = trace('x', { received: {} });
    expect(compareTraces([trace('x')], [missing])).toMatchObject([
      { path: '.received.response', gated: undefined },
    ]);
    expect(compareTraces([trace('x')], [])).toMatchObject([{ direct: 'run' }]);
  });
});

describe('a list of accepted differences', () => {
  const differences = [{ step: 'a/b', path: '.name', direct: 'x', gated: 'alpha__x' }];
  const ran = { differences, steps: ['a/b', 'a/c'] };
  const entry = { reason: 'a prefix', steps: /^a\/b$/, gated: { template: 'alpha__{direct}' } };

  it('accepts what it names, with the values that it names', () => {
    expect(judge(cell, ran, [entry])).toEqual({ unlisted: [], unused: [] });
    expect(judge(cell, ran, []).unlisted).toEqual(differences);
    for (const other of [{ direct: { is: 'y' } }, { gated: 'absent' as const }, { path: /^$/ }]) {
      expect(judge(cell, ran, [{ ...entry, ...other }])).toMatchObject({
        unlisted: differences,
        unused: [expect.stringContaining('a prefix')],
      });
    }
  });

  it('fails when a difference is gone, but not where its step was not run or in another cell', () => {
    const gone = { ...entry, steps: /^a\/c$/ };
    expect(judge(cell, ran, [entry, gone]).unused).toHaveLength(1);
    expect(judge(cell, ran, [entry, { ...gone, steps: /^d$/ }]).unused).toEqual([]);
    const elsewhere = { ...gone, where: { client: 'sdk1' } } as const;
    expect(judge({ ...cell, client: 'raw' }, ran, [entry, elsewhere]).unused).toEqual([]);
  });
});

it('every client, transport, era and number of servers is among the cells that run with the tests', () => {
  expect(CELLS).toHaveLength(56);
  for (const key of ['client', 'era', 'down', 'up', 'servers'] as const) {
    const values = (cells: readonly Cell[]): readonly string[] =>
      [...new Set(cells.map((each) => each[key]))].toSorted();
    expect(values(SELECTED)).toEqual(values(CELLS));
  }
  expect(SELECTED).toHaveLength(30);
});
