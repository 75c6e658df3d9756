/**
 * The EPD tools whose hints are not what their effects alone would say. What EPD says of one tool,
 * by name or in its lists by safety, goes before what it says of the tool's kind.
 */
import type { HouseException } from '../house.ts';

export const epdExceptions: readonly HouseException[] = Object.freeze([
  {
    operation: 'upgrade_webhook_version',
    hints: { destructiveHint: true },
    reason: 'EPD lists it as destructive, although a downgrade brings the old version back.',
  },
  {
    operation: 'downgrade_webhook_version',
    hints: { destructiveHint: true },
    reason: 'EPD lists it as destructive, although an upgrade brings the old version back.',
  },
  {
    operation: 'archive_coupon',
    hints: { destructiveHint: true },
    reason:
      'EPD declares it destructive, although unarchive_coupon and update_coupon bring the coupon back.',
  },
  {
    operation: 'test_webhook_endpoint',
    hints: { openWorldHint: false },
    reason: 'EPD lists no tool as open world today, although this one posts to the endpoint.',
  },
  {
    operation: 'replay_webhook_event',
    hints: { openWorldHint: false },
    reason: 'EPD lists no tool as open world today, although this one posts to the endpoint.',
  },
] satisfies HouseException[]);
