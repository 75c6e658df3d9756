/**
 * The five operations of the catalogue, each declared by what it does. The logic is in the other
 * modules of this folder.
 */
import type { Operation, Principal } from 'plimsoll/server';
import { creates, defineOperation, ProblemError, reads } from 'plimsoll/server';
import * as z from 'zod';
import { buildDigitalLink } from './digital-link.ts';
import { readGtin } from './gtin.ts';
import { qrSvg } from './qr-svg.ts';
import { resolve } from './resolve.ts';
import {
  DigitalLinkOut,
  gtin,
  linkType,
  lot,
  expiry,
  ProductOut,
  ResolutionOut,
  serial,
  ValidationOut,
} from './schemas.ts';
import type { Store } from './store.ts';

export interface CatalogContext {
  readonly store: Store;
  readonly now: () => Date;
  /** The host of generated links. */
  readonly linkHost: string;
}

const ping = defineOperation({
  name: 'ping',
  title: 'Ping',
  description: 'Answers "pong". Health probe; no sign-in, no I/O.',
  input: z.object({}),
  output: z.literal('pong'),
  effect: reads('health', { reach: 'none', trace: 'nothing' }),
  run: () => 'pong' as const,
});

const validateGtin = defineOperation({
  name: 'validate_gtin',
  title: 'Validate GTIN',
  description:
    'Checks a GTIN and returns its 14-digit normal form. Pure validation: no database, no sign-in.',
  input: z.object({ gtin }),
  output: ValidationOut,
  effect: reads('gtin', { reach: 'none' }),
  run: (input) => {
    const reading = readGtin(input.gtin);
    return reading.kind === 'valid'
      ? { valid: true, error: null, normalized: reading.gtin14, format: reading.format }
      : { valid: false, error: reading.reason, normalized: null, format: null };
  },
});

export function catalogOperations({ store, now, linkHost }: CatalogContext): readonly Operation[] {
  const resolveGtin = defineOperation({
    name: 'resolve_gtin',
    title: 'Resolve GTIN',
    description:
      'Returns where a GTIN leads, by the resolver rules: serial, batch, product, brand, organisation; the first match wins.',
    input: z.object({ gtin, lot, serial, link_type: linkType }),
    output: ResolutionOut,
    effect: reads('resolver rule'),
    run: (input) => {
      const gtin14 = known(store, toGtin14(input.gtin));
      const request = {
        gtin14,
        lot: input.lot,
        serial: input.serial,
        linkType: input.link_type,
      };
      const found = resolve(store.findRules(request), request, now());
      return {
        gtin: gtin14,
        scope: found.scope,
        rule: found.ruleId,
        destination_type: found.destinationType,
        url: found.url,
        link_type: found.linkType,
      };
    },
  });

  const lookupProduct = defineOperation({
    name: 'lookup_product',
    title: 'Look Up Product',
    description:
      'Look up structured product data by GTIN. Returns brand, maker, content, class and claims.',
    input: z.object({ gtin }),
    output: ProductOut,
    effect: reads('product'),
    run: (input) => {
      const gtin14 = toGtin14(input.gtin);
      return store.findProduct(gtin14) ?? notInCatalogue(gtin14);
    },
  });

  const generateQrUrl = defineOperation({
    name: 'generate_qr_url',
    title: 'Generate QR URL',
    description:
      'Builds a GS1 Digital Link URL with its QR code, and records that the signed-in user made it.',
    input: z.object({ gtin, lot, serial, expiry }),
    output: DigitalLinkOut,
    effect: creates('digital link', { repeat: 'same', trace: 'audit' }),
    scopes: ['qr:write'],
    produces: ['digital_link'],
    run: (input, { principal }) => {
      const user = signedIn(principal);
      const gtin14 = known(store, toGtin14(input.gtin));
      refuseForeignBrand(store, gtin14, user);
      const link = buildDigitalLink({ host: linkHost, ...input, gtin: gtin14 });
      if (link.kind === 'invalid') throw new ProblemError('invalid-input', link.reason);
      const { url } = link;
      store.recordUserAction({ user: user.id, action: 'qr_url.generated', gtin14, url }, now());
      return { gtin: gtin14, url, qr_svg: qrSvg(url) };
    },
  });

  return [ping, validateGtin, resolveGtin, lookupProduct, generateQrUrl];
}

function toGtin14(text: string): string {
  const reading = readGtin(text);
  if (reading.kind === 'valid') return reading.gtin14;
  const errors = [{ pointer: '/gtin', detail: reading.reason }];
  throw new ProblemError('invalid-input', `This is not a GTIN. ${reading.reason}`, { errors });
}

function known(store: Store, gtin14: string): string {
  return store.findProduct(gtin14) === undefined ? notInCatalogue(gtin14) : gtin14;
}

function notInCatalogue(gtin14: string): never {
  throw new ProblemError('not-found', `The catalogue has no product ${gtin14}.`);
}

/** The pipeline refuses callers without the scope, and only principals have scopes. */
function signedIn(principal: Principal | undefined): Principal {
  if (principal !== undefined) return principal;
  throw new ProblemError('unauthenticated', 'Sign in first.');
}

/** Members of an organisation may make codes for its own brands and for unclaimed products. */
function refuseForeignBrand(store: Store, gtin14: string, { tenant }: Principal): void {
  const claimant = store.findClaimant(gtin14);
  if (tenant === undefined || claimant === undefined || claimant.id === tenant) return;
  const detail = `Product ${gtin14} is claimed by ${claimant.name}; only they can make its codes.`;
  throw new ProblemError('forbidden', detail);
}
