/** Tools whose answer is the point: each kind of content, a failure, and schemas of two kinds. */
import { fromJsonSchema } from '@modelcontextprotocol/server';
import type { Operation } from 'plimsoll/server';
import { defineOperation, ProblemError, reads, reply } from 'plimsoll/server';
import { z } from 'zod';
import CONTACT_SCHEMA from './contact.schema.json' with { type: 'json' };
import { defineLookup } from './lookup.ts';
import { RED_PIXEL, SILENCE } from './samples.ts';

const simpleText = defineLookup({
  name: 'test_simple_text',
  title: 'Simple Text',
  description: 'Answers with one line of text.',
  run: () => 'This is a simple text response for testing.',
});

const image = defineLookup({
  name: 'test_image_content',
  title: 'Picture',
  description: 'Answers with a picture of one pixel.',
  run: () => reply([{ type: 'image', ...RED_PIXEL }]),
});

const audio = defineLookup({
  name: 'test_audio_content',
  title: 'Sound',
  description: 'Answers with a moment of silence.',
  run: () => reply([{ type: 'audio', ...SILENCE }]),
});

const embeddedResource = defineLookup({
  name: 'test_embedded_resource',
  title: 'Embedded Resource',
  description: 'Answers with a resource inside the result.',
  run: () =>
    reply([
      {
        type: 'resource',
        resource: {
          uri: 'test://embedded-resource',
          mimeType: 'text/plain',
          text: 'This is an embedded resource content.',
        },
      },
    ]),
});

const mixedContent = defineLookup({
  name: 'test_multiple_content_types',
  title: 'Mixed Content',
  description: 'Answers with text, a picture and a resource at once.',
  run: () =>
    reply([
      { type: 'text', text: 'Multiple content types test:' },
      { type: 'image', ...RED_PIXEL },
      {
        type: 'resource',
        resource: {
          uri: 'test://mixed-content-resource',
          mimeType: 'application/json',
          text: JSON.stringify({ test: 'data', value: 123 }),
        },
      },
    ]),
});

const failure = defineLookup({
  name: 'test_error_handling',
  title: 'Failure',
  description: 'Fails on every call.',
  run: () => {
    throw new ProblemError('unavailable', 'This tool fails on purpose.');
  },
});

const mirroredHeader = defineOperation({
  name: 'test_mirrored_header',
  title: 'Mirrored Header',
  description: 'Takes an argument that clients repeat in the header Mcp-Param-Region.',
  input: z.object({
    region: z.string().describe('Where to look.').meta({ 'x-mcp-header': 'Region' }),
  }),
  effect: reads('region', { reach: 'none', trace: 'nothing' }),
  run: ({ region }) => `Looked in ${region}.`,
});

interface Contact {
  readonly name?: string;
}

const writtenSchema: Operation = {
  ...defineOperation({
    name: 'json_schema_2020_12_tool',
    title: 'Written Schema',
    description: 'Has a hand-written input schema with composition, conditions and an anchor.',
    input: fromJsonSchema<Contact>(CONTACT_SCHEMA),
    effect: reads('contact card', { reach: 'none', trace: 'nothing' }),
    run: ({ name }) => `Read the card of ${name ?? 'nobody'}.`,
  }),
  // The kit leaves `$schema` out, since 2020-12 goes without saying; the suite wants it said.
  inputSchema: CONTACT_SCHEMA,
};

export const contentTools: readonly Operation[] = [
  simpleText,
  image,
  audio,
  embeddedResource,
  mixedContent,
  failure,
  mirroredHeader,
  writtenSchema,
];
