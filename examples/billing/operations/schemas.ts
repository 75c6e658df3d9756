/** The arguments and results that several operations share. */
import * as z from 'zod';

export const id = (what: string) => z.string().min(1).max(64).describe(`Which ${what}: its id`);

export const nothing = z.object({});

export const pageArguments = {
  limit: z.int().min(1).max(100).default(10).describe('How many at most'),
  starting_after: z.string().max(64).optional().describe('cursors.next of the page before'),
  ending_before: z
    .string()
    .max(64)
    .optional()
    .describe('cursors.previous of the page after; not together with starting_after'),
};

/** Plain texts with a check of their own: the patterns of the library would be most of every tool list. */
export const instant = z
  .string()
  .max(40)
  .refine(
    (text) => /T.*(?:Z|[+-]\d\d:\d\d)$/.test(text) && !Number.isNaN(Date.parse(text)),
    'not a time',
  )
  .meta({ format: 'date-time' });
export const date = z
  .string()
  .refine((text) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)), 'not a date')
  .meta({ format: 'date' });
export const email = z
  .string()
  .max(200)
  .refine((text) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text), 'not an email address')
  .meta({ format: 'email' });

export const createdBetween = {
  created_after: instant.optional().describe('Only what was created then or later'),
  created_before: instant.optional().describe('Only what was created before'),
};

export const sortBy = (...fields: readonly string[]) => ({
  sort: z
    .string()
    .regex(new RegExp(`^(?:${fields.join('|')})(?:(?:\\[(?:asc|desc)\\])|(?::(?:asc|desc)))?$`))
    .optional()
    .describe(
      `Sorts by ${fields.join(', ')}, such as ${fields[0] ?? ''}[asc]; newest first without it`,
    ),
});

export const expandable = (...relations: readonly string[]) => ({
  expand: z
    .string()
    .max(100)
    .optional()
    .describe(`Relations to embed, separated by commas: ${relations.join(', ')}`),
});

export const currency = z
  .string()
  .regex(/^[a-z]{3}$/)
  .describe('ISO 4217 code in lower case');

export const cents = (least = 1) => z.int().min(least).max(99_999_999);

export const metadata = z
  .record(z.string().max(40), z.string().max(500))
  .refine((pairs) => Object.keys(pairs).length <= 50, 'at most 50 pairs')
  .describe('Pairs of your own');

const phone = z
  .string()
  .regex(/^\+[1-9]\d{6,14}$/)
  .describe('Phone number as +, country code and digits; unique for each merchant');

const text = (most: number) => z.string().max(most);
const country = z.string().regex(/^[A-Z]{2}$/);

export const shipping = z
  .object({
    name: text(100),
    line1: text(200),
    line2: text(200).optional(),
    city: text(100),
    state: text(100),
    postal_code: text(20),
    country,
    phone: phone.optional(),
  })
  .describe('Where goods are sent by default');

const shippingAddress = z
  .object({
    first_name: text(100),
    last_name: text(100),
    address_line1: text(200),
    address_line2: text(200).optional(),
    city: text(100),
    state: text(100),
    postal_code: text(20),
    country,
    phone: phone.optional(),
  })
  .describe('Where this is sent; not together with shipping_address_id');

export const shippingChoice = {
  shipping_address_id: z
    .string()
    .max(64)
    .optional()
    .describe('A saved address; not together with shipping_address'),
  shipping_address: shippingAddress.optional(),
};

export const billingDetails = z
  .object({
    name: text(200).optional(),
    address1: text(200).optional(),
    address2: text(200).optional(),
    city: text(100).optional(),
    state: text(100).optional(),
    zip: text(20).optional(),
    country: country.optional(),
    email: email.optional(),
    phone: text(40).optional(),
  })
  .describe('The address of the holder, kept with the card');

export const person = {
  email: email.describe('Unique for each merchant'),
  first_name: z.string().min(1).max(100).describe('Given name of the customer'),
  last_name: z.string().min(1).max(100).describe('Family name of the customer'),
  phone,
  company: z.string().max(200).optional().describe('Where the customer works'),
};

export const cardToken = z
  .string()
  .regex(/^cct_[0-9a-f]{48}$/)
  .describe('Token from the card form in a browser; for one use, within 15 minutes');

export const items = z
  .array(
    z.object({
      product_id: id('product'),
      quantity: z.int().min(1).max(9999).describe('How many'),
    }),
  )
  .min(1)
  .max(100)
  .describe('What is bought; prices always come from the catalogue');

export const billingCycle = z
  .object({
    interval: z.enum(['day', 'month']).describe('The unit of a period'),
    interval_count: z.int().min(1).max(365).describe('How many units a period lasts'),
    anchor_day: z
      .int()
      .min(1)
      .max(31)
      .optional()
      .describe('Day of the month on which periods end; the first one is prorated'),
  })
  .describe('How long a period lasts');

export const couponCode = z
  .string()
  .min(4)
  .max(50)
  .regex(/^[A-Za-z0-9-]+$/)
  .describe('Coupon code, in any case; one that cannot be used stops the whole call');

export const version = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/)
  .describe('API version, such as 2026-03-01');

/** A thing with its id; what else it holds is its kind's. */
export const thing = z.looseObject({ id: z.string(), object: z.string() });

export const pageOf = z.object({
  object: z.literal('list'),
  data: z.array(z.looseObject({ id: z.string() })),
  has_more: z.boolean(),
  url: z.string(),
  cursors: z.object({ next: z.string().nullable(), previous: z.string().nullable() }),
});
