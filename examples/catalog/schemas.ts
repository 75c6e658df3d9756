/** The input and output schemas of the catalogue's operations, with a description for each parameter. */
import * as z from 'zod';
import { SCOPES } from './rule.ts';

export const gtin = z
  .string()
  .max(64)
  .describe(
    'A GTIN-8, -12, -13 or -14; spaces and hyphens are ignored, leading zeros may be absent',
  );

export const lot = z.string().max(64).optional().describe('Batch or lot number (GS1 AI 10)');

export const serial = z.string().max(64).optional().describe('Serial number (GS1 AI 21)');

export const expiry = z.string().max(64).optional().describe('Expiry date as YYMMDD (GS1 AI 17)');

export const linkType = z
  .string()
  .max(64)
  .optional()
  .describe('The GS1 link type, such as gs1:pip or gs1:recallStatus');

const gtin14 = z.string().regex(/^\d{14}$/);

export const ValidationOut = z.object({
  valid: z.boolean(),
  /** The reason, when it is not valid. */
  error: z.string().nullable(),
  normalized: gtin14.nullable(),
  format: z.enum(['GTIN-8', 'GTIN-12', 'GTIN-13', 'GTIN-14']).nullable(),
});

export const ResolutionOut = z.object({
  gtin: gtin14,
  scope: z.enum([...SCOPES, 'default']),
  rule: z.string().nullable(),
  destination_type: z.enum(['HOSTED_PAGE', 'CUSTOM_URL']),
  url: z.url(),
  link_type: z.string(),
});

export const ProductOut = z.object({
  gtin: gtin14,
  product_name: z.string(),
  brand: z.string(),
  manufacturer: z.string(),
  image_url: z.url().nullable(),
  description: z.string().nullable(),
  net_content: z.string(),
  gpc: z.object({ code: z.string(), title: z.string() }),
  dimensions: z
    .object({ height_mm: z.number(), width_mm: z.number(), depth_mm: z.number() })
    .nullable(),
  weight: z.object({ gross_g: z.number() }).nullable(),
  country_of_origin: z.string().nullable(),
  confidence_score: z.number(),
  field_confidence: z.record(z.string(), z.number()),
  is_claimed: z.boolean(),
  claim_verification_status: z.enum(['unclaimed', 'pending', 'verified', 'rejected']),
});

export const DigitalLinkOut = z.object({ gtin: gtin14, url: z.url(), qr_svg: z.string() });
