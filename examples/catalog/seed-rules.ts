/** The resolver rules of the demonstration catalogue: several in every scope, some timed, some down. */
import type { Brand, Organisation, PlacedProduct } from './product.ts';
import type { Random } from './random.ts';
import type { Destination, PlacedRule, Scope, TimeCriteria } from './rule.ts';

interface Ground {
  readonly organisations: readonly Organisation[];
  readonly brands: readonly Brand[];
  readonly products: readonly PlacedProduct[];
  readonly random: Random;
}

interface Draft {
  readonly qualifier?: string;
  readonly linkType?: string;
  readonly destination: Destination;
  readonly when?: TimeCriteria;
}

const HOSTED: Destination = { type: 'HOSTED_PAGE' };
const WINTER: TimeCriteria = { annual: { from: '11-15', to: '02-29' } };
const SUMMER: TimeCriteria = { annual: { from: '06-01', to: '08-31' } };
const OFFICE_HOURS: TimeCriteria = {
  days: ['mon', 'tue', 'wed', 'thu', 'fri'],
  hours: { from: '08:00', to: '18:00' },
};
const ANNIVERSARY: TimeCriteria = {
  absolute: { from: '2026-05-01T00:00:00Z', until: '2027-05-01T00:00:00Z' },
};

/** The sample whose rules use every scope at once. */
const SHOWPIECE = '09506000134352';
/** The sample whose own page is down. */
const DOWN_SAMPLE = '00614141123452';
/** The sample without its own rules: its brand and organisation decide. */
const PLAIN_SAMPLE = '00012345678905';

export function makeRules({
  organisations,
  brands,
  products,
  random,
}: Ground): readonly PlacedRule[] {
  const domains = new Map(organisations.map(({ id, domain }) => [id, domain]));
  const siteOf = (brand: Brand) =>
    `https://${domains.get(brand.organisationId) ?? 'catalog.example'}`;
  const sites = new Map(brands.map((brand) => [brand.id, siteOf(brand)]));
  return [
    ...organisations.flatMap((organisation, at) =>
      place(
        'organisation',
        organisation.id,
        organisationRules(`https://${organisation.domain}`, at),
        random,
      ),
    ),
    ...brands.flatMap((brand, at) =>
      place('brand', brand.id, brandRules(`${siteOf(brand)}/${slugOf(brand.name)}`, at), random),
    ),
    ...products.flatMap((product, at) =>
      productRules(product, at, sites.get(product.brandId) ?? '', random),
    ),
  ];
}

function organisationRules(site: string, at: number): readonly Draft[] {
  return [
    { linkType: 'gs1:recallStatus', destination: custom(`${site}/recalls`) },
    {
      linkType: 'gs1:pip',
      destination: watched(`${site}/anniversary`, 'skip', at % 2 === 0),
      when: ANNIVERSARY,
    },
    {
      linkType: 'gs1:pip',
      destination: at % 4 === 3 ? HOSTED : watched(site, 'hosted', at % 4 === 2),
    },
  ];
}

/** Every third brand has no rules and uses those of its organisation. */
function brandRules(page: string, at: number): readonly Draft[] {
  if (at % 3 === 1) return [];
  return [
    {
      linkType: 'gs1:pip',
      destination: custom(`${page}/season`),
      when: at % 2 === 0 ? WINTER : SUMMER,
    },
    { linkType: 'gs1:instructions', destination: custom(`${page}/recipes`) },
    ...(at % 2 === 0
      ? [{ linkType: 'gs1:pip', destination: watched(page, 'skip', at % 4 === 0) }]
      : []),
  ];
}

function productRules(
  product: PlacedProduct,
  at: number,
  site: string,
  random: Random,
): readonly PlacedRule[] {
  const { gtin } = product;
  if (gtin === PLAIN_SAMPLE) return [];
  const page = `${site}/products/${gtin}`;
  const isShown = gtin === SHOWPIECE;
  const own: Draft[] = [];
  if (isShown || at % 10 === 0)
    own.push({ linkType: 'gs1:pip', destination: custom(`${page}/winter`), when: WINTER });
  if (isShown || at % 15 === 0)
    own.push({ linkType: 'gs1:support', destination: custom(`${page}/call`), when: OFFICE_HOURS });
  if (isShown || at % 5 === 0)
    own.push({
      linkType: 'gs1:pip',
      destination: watched(page, 'hosted', gtin === DOWN_SAMPLE || at % 25 === 5),
    });
  const batch: Draft[] = [];
  if (isShown || at % 20 === 0) {
    batch.push({
      qualifier: 'LOT42',
      linkType: 'gs1:recallStatus',
      destination: custom(`${site}/recalls/${gtin}/LOT42`),
    });
    batch.push({ qualifier: 'LOT42', linkType: 'gs1:pip', destination: HOSTED });
  }
  const serial: Draft[] = [];
  if (isShown || at % 40 === 0) {
    serial.push({
      qualifier: 'SN-0001',
      linkType: 'gs1:certificationInfo',
      destination: watched(`${site}/proof/old`, 'skip', true),
    });
    serial.push({
      qualifier: 'SN-0001',
      linkType: 'gs1:certificationInfo',
      destination: custom(`${site}/proof/${gtin}/SN-0001`),
    });
  }
  return [
    ...place('product', gtin, own, random),
    ...place('batch', gtin, batch, random),
    ...place('serial', gtin, serial, random),
  ];
}

/** Binds drafts to their subject, numbered in steps of ten to leave room for insertions. */
function place(
  scope: Scope,
  target: string,
  drafts: readonly Draft[],
  random: Random,
): readonly PlacedRule[] {
  return drafts.map(({ qualifier, linkType, destination, when }, at) => ({
    id: random.id(),
    scope,
    orderIndex: (at + 1) * 10,
    qualifier: qualifier ?? null,
    linkType: linkType ?? null,
    destination,
    when: when ?? {},
    organisationId: scope === 'organisation' ? target : null,
    brandId: scope === 'brand' ? target : null,
    gtin14: scope === 'organisation' || scope === 'brand' ? null : target,
  }));
}

function custom(url: string): Destination {
  return { type: 'CUSTOM_URL', url, isDown: false, whenDown: 'skip' };
}

function watched(url: string, whenDown: 'skip' | 'hosted', isDown: boolean): Destination {
  return { type: 'CUSTOM_URL', url, isDown, whenDown };
}

function slugOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z]+/g, '-');
}
