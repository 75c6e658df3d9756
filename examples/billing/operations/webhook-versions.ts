/** The versions of event payloads: which there are, what one looks like, and how two differ. */
import type { Operation } from 'plimsoll/server';
import { reads } from 'plimsoll/server';
import * as z from 'zod';
import { EVENT_TYPES } from '../events.ts';
import { invalid } from '../refusals.ts';
import { comparePayloads, isVersion, toPayload, VERSIONS } from '../versions.ts';
import type { Shop } from './declare.ts';
import { declare } from './declare.ts';
import { account } from './facts.ts';
import { nothing, version } from './schemas.ts';

const eventType = z.enum(EVENT_TYPES).describe('Type of the event');

export function webhookVersionOperations(shop: Shop): readonly Operation[] {
  const sample = (type: string, wanted: string, argument: string) => {
    if (!isVersion(wanted)) invalid(argument, `${wanted} is not a version.`, 'invalid_value');
    const parts = {
      id: '00000000-0000-4000-8000-000000000000',
      type,
      created_at: '2026-03-01T00:00:00.000Z',
      environment: 'test',
      data: { id: '00000000-0000-4000-8000-000000000001', object: type.split('.')[0] },
    };
    return toPayload(parts, wanted);
  };
  return [
    declare(shop, {
      name: 'list_webhook_versions',
      title: 'List webhook versions',
      description: 'Lists the versions of event payloads, oldest first, with their status.',
      input: nothing,
      output: z.object({
        object: z.literal('list'),
        data: z.array(z.object({ version: z.string(), status: z.string() })),
      }),
      effect: reads('webhook version', account),
      run: () => ({ object: 'list', data: VERSIONS }),
    }),
    declare(shop, {
      name: 'preview_webhook_payload',
      title: 'Preview webhook payload',
      description: 'Returns what an event would look like in one version. Nothing is sent.',
      input: z.object({ event_type: eventType, version }),
      output: z.looseObject({ api_version: z.string() }),
      effect: reads('webhook payload', account),
      run: (input) => sample(input.event_type, input.version, 'version'),
    }),
    declare(shop, {
      name: 'compare_webhook_versions',
      title: 'Compare webhook versions',
      description:
        'Returns which fields an event gains, loses and changes from one version to another.',
      input: z.object({
        event_type: eventType,
        from_version: version.describe('The version before'),
        to_version: version.describe('The version after'),
      }),
      output: z.object({
        added: z.array(z.string()),
        removed: z.array(z.string()),
        changed: z.array(z.string()),
      }),
      effect: reads('webhook version', account),
      run: ({ event_type, from_version, to_version }) =>
        comparePayloads(
          sample(event_type, from_version, 'from_version'),
          sample(event_type, to_version, 'to_version'),
        ),
    }),
  ];
}
