import { describe, expect, it } from 'vitest';
import { toSubject } from '../subject.ts';
import type { Submission } from './to-submission.ts';
import { toSubmission } from './to-submission.ts';
import type { Directory } from './directories.ts';

const inputSchema = { type: 'object', properties: {} };
const read = {
  name: 'get_note',
  title: 'Get Note',
  description: 'Returns one note.',
  inputSchema,
  annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: false },
};
const removal = {
  name: 'delete_note',
  title: 'Delete Note',
  description: 'Deletes a note for good.',
  inputSchema,
  annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: false },
};

function submit(directory: Directory, ...tools: readonly unknown[]): Submission {
  return toSubmission(toSubject('notes', tools), directory);
}

function bare(tool: typeof read): object {
  return { ...tool, annotations: undefined };
}

describe.each(['anthropic', 'openai'] as const)('a submission to %s', (directory) => {
  it('is fit when every tool says what is asked', () => {
    const { ok, text } = submit(directory, read, removal);
    expect(text).toContain('requirements are met by 2 tools');
    expect(text).not.toContain('doubtful');
    expect(ok).toBe(true);
  });

  it('R3: is unfit when the server has no annotations', () => {
    const { ok, text } = submit(directory, bare(read), bare(removal));
    expect(ok).toBe(false);
    expect(text).toContain('2 of 2 tools do not meet them');
  });

  it('is unfit for one bad tool among good ones, and names it', () => {
    const { ok, text } = submit(directory, read, bare(removal));
    expect(ok).toBe(false);
    expect(text).toContain('✓ get_note');
    expect(text).toContain('✗ delete_note');
  });

  it('is unfit without a tool', () => {
    expect(submit(directory).ok).toBe(false);
  });

  it.each([
    ['a hint as text', { ...read, annotations: { ...read.annotations, readOnlyHint: 'true' } }],
    [
      'two hints that clash',
      { ...read, annotations: { ...read.annotations, destructiveHint: true } },
    ],
    ['no name', { ...read, name: undefined }],
    ['a number', 7],
    ['null', null],
    [
      'odd parts',
      {
        name: 3,
        annotations: [],
        inputSchema: { properties: { method: { enum: [{ toString: 1 }] } } },
      },
    ],
  ])('is unfit and does not throw for %s', (_, tool) => {
    expect(submit(directory, tool).ok).toBe(false);
  });

  it('doubts a delete that is called read-only, without taking the inferred for the law', () => {
    const lie = { ...removal, annotations: read.annotations };
    const { ok, text } = submit(directory, lie);
    expect(text).toContain('doubtful: it says read-only');
    expect(ok).toBe(true);
  });
});

it('does not doubt a tool that makes its answer', () => {
  const chart = { ...read, name: 'generate_pie_chart', description: 'Generates a pie chart.' };
  expect(submit('anthropic', chart).text).not.toContain('doubtful');
});

describe('what only Anthropic asks', () => {
  const get = { ...read, inputSchema: { type: 'object', properties: {} } };
  const withMethod = (method: object, more: object = {}): object => ({
    ...get,
    inputSchema: { type: 'object', properties: { method, ...more } },
  });

  it.each([
    ['a missing title', { ...read, title: undefined }, 'title: it has no title'],
    ['a long name', { ...read, name: 'a'.repeat(65) }, 'short-name: its name has 65'],
    ['any method', withMethod({ type: 'string' }, { path: { type: 'string' } }), 'no-catch-all'],
    ['safe and unsafe methods', withMethod({ enum: ['get', 'delete'] }), 'no-catch-all'],
    [
      'a write that says only that it is one',
      { ...read, annotations: { readOnlyHint: false } },
      'applicable-hint',
    ],
  ])('does not let %s pass', (_, tool, reason) => {
    const { ok, text } = submit('anthropic', tool);
    expect(text).toContain(reason);
    expect(ok).toBe(false);
  });

  it.each([
    ['a name of 64', { ...read, name: 'a'.repeat(64) }],
    [
      'a title in the annotations',
      { ...read, title: undefined, annotations: { ...read.annotations, title: 'Get' } },
    ],
    ['safe methods', withMethod({ enum: ['GET', 'HEAD'] })],
    ['a method that is not of HTTP', withMethod({ type: 'string' })],
    ['a read that says only that', { ...read, annotations: { readOnlyHint: true } }],
  ])('lets %s pass', (_, tool) => {
    expect(submit('anthropic', tool).text).toContain('are met by 1 tool.');
  });
});

describe('what only OpenAI asks', () => {
  it.each(['readOnlyHint', 'destructiveHint', 'openWorldHint'])('needs %s said', (hint) => {
    const annotations = { ...read.annotations, [hint]: undefined };
    const { ok, text } = submit('openai', { ...read, annotations });
    expect(text).toContain(`explicit-${hint}`);
    expect(ok).toBe(false);
  });

  it('has entries in the shape of its file, with a reason for each hint', () => {
    expect(submit('openai', removal).json).toMatchObject({
      schema_version: 1,
      tools: {
        delete_note: {
          annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: false },
          justifications: {
            read_only_justification: 'It deletes something, so a call changes something.',
            destructive_justification: 'It deletes something, and what it removes is lost.',
            open_world_justification: expect.stringMatching(/^It /) as string,
          },
        },
      },
    });
  });

  it('writes no reason for a hint that reads as untrue', () => {
    const { json } = submit('openai', { ...removal, annotations: read.annotations });
    const text = JSON.stringify(json);
    expect(text).toContain('To be resolved: readOnlyHint is true');
    expect(text).toContain('To be resolved: destructiveHint is false');
  });
});
