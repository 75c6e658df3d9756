import { describe, expect, it } from 'vitest';
import { codesOf, goodTool } from '../../../../test/support/try-rule.ts';
import { rule } from './rule.ts';

const taking = (
  name: string,
  parameter: string,
  description = '',
  annotations: unknown = { readOnlyHint: true },
): unknown =>
  goodTool({
    name,
    title: undefined,
    annotations,
    inputSchema: { type: 'object', properties: { [parameter]: { type: 'string', description } } },
  });

describe('filename-on-read', () => {
  it('finds a place to write to', () => {
    const tools = [
      taking('get_page', 'output_path'),
      taking('take_screenshot', 'filename', 'File name to save the picture to.'),
      taking('get_request', 'responseFilePath', 'Where the body is written.', undefined),
    ];
    expect(codesOf(rule, tools)).toEqual([
      'filename-on-read',
      'filename-on-read',
      'filename-on-read',
    ]);
  });

  it('leaves alone what is read from, and tools that say they write', () => {
    const tools = [
      taking('read_file', 'path', 'The file to read.'),
      taking('get_note', 'filename', 'Where the note is stored.'),
      taking('get_file', 'filename'),
      taking('get_page', 'output_path', '', { readOnlyHint: false }),
      taking('write_file', 'filename', 'Name to save under.', {}),
    ];
    expect(codesOf(rule, tools)).toEqual([]);
  });
});
