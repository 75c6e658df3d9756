/** The terms of a coupon as arguments, and which of them can go together. */
import * as z from 'zod';
import type { Coupon } from '../documents.ts';
import { invalid } from '../refusals.ts';
import { cents, instant } from './schemas.ts';

const scope = z.enum(['none', 'all', 'specific']);
const ids = z.array(z.string().max(64)).max(100);

export const couponTerms = {
  description: z.string().max(280).optional().describe('A note of your own'),
  percentage: z.number().positive().max(100).optional().describe('Percent off; this or amount'),
  amount: cents().optional().describe('Cents off; this or percentage'),
  currency: z
    .string()
    .regex(/^[A-Za-z]{3}$/)
    .optional()
    .describe('Of amount; USD without it'),
  max_discount_amount: cents().optional().describe('At most this many cents off, with percentage'),
  duration: z.enum(['once', 'repeating', 'forever']).optional().describe('For how many periods'),
  duration_in_cycles: z.int().min(1).max(999).optional().describe('How many, with repeating'),
  minimum_amount: cents().optional().describe('Only for purchases of at least this many cents'),
  first_time_customer_only: z.boolean().optional().describe('Only for a first purchase'),
  max_redemptions: z.int().min(1).optional().describe('How often in all'),
  max_redemptions_per_code: z.int().min(1).optional().describe('How often with one generated code'),
  max_redemptions_per_customer: z.int().min(1).optional().describe('How often by one customer'),
  starts_at: instant.optional().describe('Not before'),
  expires_at: instant.optional().describe('Not from then on'),
  product_scope: scope.optional().describe('For which products'),
  plan_scope: scope.optional().describe('For which plans'),
  product_ids: ids.optional().describe('With product_scope specific'),
  plan_ids: ids.optional().describe('With plan_scope specific'),
};

export type Terms = Partial<Omit<Coupon, 'kind'>>;

/** What a coupon is worth. */
export const LOCKED = [
  'percentage',
  'amount',
  'currency',
  'max_discount_amount',
  'duration',
  'duration_in_cycles',
];

export function refuseTerms(coupon: Partial<Coupon>): void {
  if ((coupon.percentage === undefined) === (coupon.amount === undefined)) {
    invalid('percentage', 'Send percentage or amount, and not both.');
  }
  if (coupon.percentage !== undefined && (coupon.currency ?? 'usd') !== 'usd') {
    invalid('currency', 'A percentage has no currency.');
  }
  if (coupon.max_discount_amount !== undefined && coupon.percentage === undefined) {
    invalid('max_discount_amount', 'It goes with percentage only.');
  }
  if ((coupon.duration === 'repeating') !== (coupon.duration_in_cycles !== undefined)) {
    invalid('duration_in_cycles', 'It goes with repeating, and with nothing else.');
  }
  if (coupon.product_scope === 'none' && coupon.plan_scope === 'none') {
    invalid('plan_scope', 'The coupon would be for nothing.');
  }
  for (const kind of ['product', 'plan'] as const) {
    if (coupon[`${kind}_scope`] === 'specific' && coupon[`${kind}_ids`]?.length === 0) {
      invalid(`${kind}_ids`, 'Name at least one.');
    }
  }
  if (coupon.starts_at !== undefined && (coupon.expires_at ?? 'z') <= coupon.starts_at) {
    invalid('expires_at', 'It must be after starts_at.');
  }
}
