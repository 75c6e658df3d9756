/** Coupons and their codes. Terms are fixed from the first redemption on. */
import { randomInt } from 'node:crypto';
import type { Operation } from 'plimsoll/server';
import { archives, creates, reads, sets, updates } from 'plimsoll/server';
import * as z from 'zod';
import { readCoupon } from '../coupons.ts';
import type { Coupon, CouponCode } from '../documents.ts';
import { found, invalid, refuse } from '../refusals.ts';
import type { Terms } from './coupon-terms.ts';
import { couponTerms, LOCKED, refuseTerms } from './coupon-terms.ts';
import type { Caller, Shop } from './declare.ts';
import { declare } from './declare.ts';
import { account, keyed, settled } from './facts.ts';
import { given, page } from './reply.ts';
import { cents, id, instant, pageArguments, pageOf, sortBy, thing } from './schemas.ts';

const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const random = (length: number): string =>
  Array.from({ length }, () => LETTERS[randomInt(LETTERS.length)]).join('');

export function couponOperations(shop: Shop): readonly Operation[] {
  const { store } = shop;
  const { objects } = store;
  const find = (owner: string, couponId: string): Coupon =>
    found(objects.find(owner, 'coupon', couponId), 'coupon', couponId);
  const update = (caller: Caller, couponId: string, fields: Partial<Coupon>): Coupon =>
    objects.update(caller.account, 'coupon', couponId, caller.at, fields);
  const isTaken = (owner: string, is: string): boolean =>
    objects.all(owner, 'coupon_code', [{ field: 'code', is }]).length > 0;
  const addCode = (caller: Caller, coupon_id: string, code: string, expires_at?: string | null) => {
    if (isTaken(caller.account, code)) invalid('codes', `The code ${code} exists already.`);
    return objects.add(caller.account, 'coupon_code', caller.at, {
      coupon_id,
      code,
      expires_at,
      redemption_count: 0,
    });
  };
  const mint = (caller: Caller, couponId: string, wanted: Minting): readonly CouponCode[] => {
    const { count, prefix = '', length = 12, expires_at } = wanted;
    if (length - prefix.length < 4) invalid('length', 'At least 4 letters must be random.');
    return Array.from({ length: count }, () => {
      let code = '';
      do code = prefix.toUpperCase() + random(length - prefix.length);
      while (isTaken(caller.account, code));
      return addCode(caller, couponId, code, expires_at);
    });
  };
  return [
    declare(shop, {
      name: 'create_coupon',
      title: 'Create coupon',
      description:
        'Creates a coupon: a promo has one code, its name in upper case; a generated one gets codes of its own.',
      input: z.object({
        kind: z.enum(['generated', 'promo']).default('generated').describe('One code, or many'),
        name: z.string().min(1).max(200).describe('Name; of a promo also the code'),
        ...couponTerms,
        codes: z
          .object({
            count: z.int().min(1).max(500).describe('How many'),
            prefix: z.string().max(20).optional().describe('What each begins with'),
            length: z.int().min(8).max(32).optional().describe('Letters of each'),
            expires_at: instant.nullable().optional().describe('Until when'),
          })
          .optional()
          .describe('Codes to make at once, for a generated coupon'),
      }),
      output: thing,
      effect: creates('coupon', keyed),
      run: ({ codes, ...input }, caller) =>
        caller.once(() => {
          const fields: Partial<Coupon> = {
            duration: 'once',
            first_time_customer_only: false,
            product_scope: 'all',
            plan_scope: 'all',
            product_ids: [],
            plan_ids: [],
            active: true,
            archived: false,
            redemption_count: 0,
            ...given(input),
            currency: (input.currency ?? 'usd').toLowerCase(),
          };
          refuseTerms(fields);
          const isPromo = input.kind === 'promo';
          if (isPromo && codes !== undefined) invalid('codes', 'A promo has one code.');
          if (isPromo && !/^[A-Z0-9-]{4,50}$/.test(input.name.toUpperCase())) {
            invalid('name', 'As a code: 4 to 50 letters, digits or hyphens.');
          }
          const coupon = objects.add(caller.account, 'coupon', caller.at, fields);
          if (isPromo) addCode(caller, coupon.id, input.name.toUpperCase());
          const made = codes === undefined ? [] : mint(caller, coupon.id, codes);
          return { ...coupon, codes: made.map(({ code }) => code) };
        }),
    }),
    declare(shop, {
      name: 'list_coupons',
      title: 'List coupons',
      description: 'Lists coupons, newest first; archived ones only on request.',
      input: z.object({
        ...pageArguments,
        active: z.boolean().optional().describe('Only active ones, or only others'),
        kind: z.enum(['generated', 'promo']).optional().describe('Only this kind'),
        archived: z
          .enum(['true', 'false', 'all'])
          .default('false')
          .describe('Archived ones: only, not, or too'),
        ...sortBy('created_at', 'updated_at', 'name', 'percentage', 'amount'),
      }),
      output: pageOf,
      effect: reads('coupon', account),
      run: ({ active, kind, archived, ...query }, caller) => {
        const filters = [
          ...(active === undefined ? [] : [{ field: 'active', is: active }]),
          ...(kind === undefined ? [] : [{ field: 'kind', is: kind }]),
          ...(archived === 'all' ? [] : [{ field: 'archived', is: archived === 'true' }]),
        ];
        const cut = objects.list(caller.account, 'coupon', { ...query, filters });
        return page('/v1/coupons', cut, query, (one) => one);
      },
    }),
    declare(shop, {
      name: 'retrieve_coupon',
      title: 'Retrieve coupon',
      description: 'Returns one coupon and how often it was used.',
      input: z.object({ id: id('coupon') }),
      output: thing,
      effect: reads('coupon', account),
      run: (input, caller) => find(caller.account, input.id),
    }),
    declare(shop, {
      name: 'update_coupon',
      title: 'Update coupon',
      description: 'Changes a coupon. What it is worth cannot change after its first use.',
      input: z.object({
        id: id('coupon'),
        name: z.string().min(1).max(200).optional().describe('What you call it'),
        ...couponTerms,
        active: z.boolean().optional().describe('Whether it can be used'),
      }),
      output: thing,
      effect: updates('coupon', settled),
      run: ({ id: couponId, ...changes }, caller) =>
        caller.once(() => {
          const before = find(caller.account, couponId);
          const fields: Terms = given(changes);
          const locked = LOCKED.find((name) => Object.hasOwn(fields, name));
          if (before.redemption_count > 0 && locked !== undefined) {
            refuse('field_locked', `${locked} cannot change after the first use.`);
          }
          const isOther = fields.percentage !== undefined || fields.amount !== undefined;
          const kept: Partial<Coupon> = { ...before };
          if (isOther) {
            delete (kept as { percentage?: number }).percentage;
            delete (kept as { amount?: number }).amount;
          }
          const next = { ...kept, ...fields };
          refuseTerms(next);
          const worth = isOther ? { percentage: next.percentage, amount: next.amount } : {};
          return update(caller, couponId, { ...fields, ...worth });
        }),
    }),
    declare(shop, {
      name: 'archive_coupon',
      title: 'Archive coupon',
      description:
        'Puts a coupon away: its codes stop working until it is unarchived and made active.',
      input: z.object({ id: id('coupon') }),
      output: thing,
      effect: archives('coupon', settled),
      run: (input, caller) =>
        caller.once(() => {
          find(caller.account, input.id);
          return update(caller, input.id, { archived: true, active: false });
        }),
    }),
    declare(shop, {
      name: 'unarchive_coupon',
      title: 'Unarchive coupon',
      description:
        'Takes a coupon out of the archive. It stays inactive until update_coupon says otherwise.',
      input: z.object({ id: id('coupon') }),
      output: thing,
      effect: sets('coupon', settled),
      run: (input, caller) =>
        caller.once(() => {
          find(caller.account, input.id);
          return update(caller, input.id, { archived: false });
        }),
    }),
    declare(shop, {
      name: 'generate_coupon_codes',
      title: 'Generate coupon codes',
      description: 'Makes codes for a generated coupon: random ones, or those that are named.',
      input: z.object({
        id: id('coupon'),
        count: z.int().min(1).max(500).optional().describe('How many random ones'),
        codes: z
          .array(z.string().regex(/^[A-Z0-9-]{8,50}$/))
          .min(1)
          .max(500)
          .optional()
          .describe('These very codes; not together with count'),
        prefix: z.string().max(20).optional().describe('What random ones begin with'),
        length: z.int().min(8).max(32).optional().describe('Letters of random ones'),
        expires_at: instant.nullable().optional().describe('Until when they work'),
      }),
      output: z.object({ object: z.literal('list'), data: z.array(thing) }),
      effect: creates('coupon code', keyed),
      run: ({ id: couponId, count, codes, ...rest }, caller) =>
        caller.once(() => {
          const coupon = find(caller.account, couponId);
          if (coupon.kind === 'promo') invalid('id', 'A promo has one code.');
          if ((count === undefined) === (codes === undefined)) {
            invalid('count', 'Send count or codes, and not both.');
          }
          const data =
            codes === undefined
              ? mint(caller, couponId, { count: count ?? 0, ...rest })
              : codes.map((code) => addCode(caller, couponId, code, rest.expires_at));
          return { object: 'list', data };
        }),
    }),
    declare(shop, {
      name: 'list_coupon_codes',
      title: 'List coupon codes',
      description: 'Lists the codes of a coupon, newest first, with how often each was used.',
      input: z.object({
        id: id('coupon'),
        ...pageArguments,
        redeemed: z.boolean().optional().describe('Only used ones, or only others'),
        ...sortBy('created_at', 'updated_at', 'redemption_count'),
      }),
      output: pageOf,
      effect: reads('coupon code', account),
      run: ({ id: couponId, redeemed, ...query }, caller) => {
        find(caller.account, couponId);
        const filters = [
          { field: 'coupon_id', is: couponId },
          ...(redeemed === undefined
            ? []
            : [{ field: 'redemption_count', [redeemed ? 'above' : 'is']: 0 }]),
        ];
        const cut = objects.list(caller.account, 'coupon_code', { ...query, filters });
        return page('/v1/coupon_codes', cut, query, (one) => one);
      },
    }),
    declare(shop, {
      name: 'validate_coupon',
      title: 'Validate coupon',
      description: 'Tells whether a code could be used, and why not. Nothing is used up.',
      input: z.object({
        code: z.string().min(1).max(50).describe('The code, in any case'),
        plan_id: z.string().max(64).optional().describe('For this plan'),
        product_id: z.string().max(64).optional().describe('For this product'),
        customer_id: z.string().max(64).optional().describe('By this customer'),
        amount: cents().optional().describe('For a purchase of this many cents'),
        currency: z.string().length(3).optional().describe('Of the purchase'),
      }),
      output: z.looseObject({ valid: z.boolean() }),
      effect: reads('coupon', account),
      run: ({ code, product_id, customer_id, currency, ...rest }, caller) => {
        const purchase = {
          ...rest,
          at: caller.at,
          ...(currency !== undefined && { currency: currency.toLowerCase() }),
          ...(product_id !== undefined && { product_ids: [product_id] }),
        };
        const reading = readCoupon(store, caller.account, code, purchase, customer_id);
        if (reading.kind === 'refused') return { valid: false, reason: reading.reason };
        return { valid: true, discount: reading.discount, terms: reading.coupon };
      },
    }),
  ];
}

interface Minting {
  readonly count: number;
  readonly prefix?: string | undefined;
  readonly length?: number | undefined;
  readonly expires_at?: string | null | undefined;
}
