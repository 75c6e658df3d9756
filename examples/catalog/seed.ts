/**
 * The demonstration catalogue: invented makers, brands and products, the same on every run. Company
 * prefixes are in 952, which GS1 reserves for demonstrations; the three sample GTINs are GS1's own.
 */
import { checkDigitOf } from './gtin.ts';
import type { Brand, ClaimStatus, Organisation, PlacedProduct, Product } from './product.ts';
import type { Random } from './random.ts';
import { randomFrom } from './random.ts';
import names from './seed.names.json' with { type: 'json' };
import { makeRules } from './seed-rules.ts';
import type { PlacedRule } from './rule.ts';

export interface Catalogue {
  readonly organisations: readonly Organisation[];
  readonly brands: readonly Brand[];
  readonly products: readonly PlacedProduct[];
  readonly rules: readonly PlacedRule[];
}

interface Sort {
  readonly noun: string;
  readonly gpc: Product['gpc'];
  readonly variants: readonly string[];
  readonly sizes: readonly string[];
}

type Maker = (typeof names.makers)[number];

const SORTS: Readonly<Record<string, Sort>> = names.sorts;

/** They replace the first number of the first three makers, with a verified claim. */
const SAMPLES = ['00614141123452', '00012345678905', '09506000134352'];

const ITEMS_PER_SORT = 6;
const EACH_NTH_HAS_A_CASE = 12;
const UNITS_IN_A_CASE = 12;

export function makeCatalogue(seed = 20_260_701): Catalogue {
  const random = randomFrom(seed);
  const organisations: Organisation[] = [];
  const brands: Brand[] = [];
  const products: PlacedProduct[] = [];
  for (const [index, maker] of names.makers.entries()) {
    const organisation = { id: random.id(), name: maker.name, domain: maker.domain };
    const numbers = gtinsOf(maker.companyPrefix, SAMPLES[index]);
    organisations.push(organisation);
    for (const { name, sorts } of maker.brands) {
      const brand = { id: random.id(), organisationId: organisation.id, name };
      brands.push(brand);
      for (const item of sorts.flatMap((sort) => itemsOf(SORTS[sort], random))) {
        products.push(makeProduct(numbers.next().value, item, brand, maker, random));
      }
    }
  }
  products.push(...products.filter((_, at) => at % EACH_NTH_HAS_A_CASE === 0).map(makeCase));
  const rules = makeRules({ organisations, brands, products, random });
  return { organisations, brands, products, rules };
}

interface Item {
  readonly sort: Sort;
  readonly variant: string;
  readonly size: string;
}

/** Some of the variants and sizes, none twice. */
function itemsOf(sort: Sort | undefined, random: Random): readonly Item[] {
  if (sort === undefined) throw new Error('seed.names.json names a kind that it does not describe');
  return sort.variants
    .flatMap((variant) => sort.sizes.map((size) => ({ sort, variant, size })))
    .map((item) => ({ item, at: random.int(1_000_000) }))
    .toSorted((left, right) => left.at - right.at)
    .slice(0, ITEMS_PER_SORT)
    .map(({ item }) => item);
}

/** The numbers under one company prefix in turn, after the sample if there is one. */
function* gtinsOf(companyPrefix: string, sample: string | undefined): Generator<string, never> {
  if (sample !== undefined) yield sample;
  for (let item = 1; ; item += 1) {
    // Sometimes a small pack with a GTIN-8, whose middle digits come from the maker's prefix.
    const short = item % 10 === 0 && item < 100;
    const body = short
      ? `952${companyPrefix.slice(-2)}${String(item).padStart(2, '0')}`
      : companyPrefix + String(item).padStart(12 - companyPrefix.length, '0');
    yield `${body}${checkDigitOf(body)}`.padStart(14, '0');
  }
}

type Claim = readonly [status: ClaimStatus, leastConfidence: number];

const CLAIMS: readonly [Claim, ...Claim[]] = [
  ['verified', 92],
  ['verified', 90],
  ['pending', 75],
  ['rejected', 40],
  ['unclaimed', 45],
];

function makeProduct(
  gtin: string,
  item: Item,
  brand: Brand,
  maker: Maker,
  random: Random,
): PlacedProduct {
  const { sort, variant, size } = item;
  const [status, least] = SAMPLES.includes(gtin) ? CLAIMS[0] : random.pick(CLAIMS);
  // Unclaimed products are only partly known.
  const isKnown = () => least >= 75 || random.int(3) > 0;
  const grams = Math.round(Number.parseInt(size, 10) * 1.06 + 8 + random.int(12));
  const side = Math.round(Math.cbrt(grams * 1100));
  const known = {
    product_name: `${brand.name} ${variant} ${sort.noun} ${size}`,
    image_url: isKnown() ? `https://images.catalog.example/${gtin}.webp` : null,
    description: isKnown()
      ? `${variant} ${sort.noun.toLowerCase()} by ${maker.name}, ${size}.`
      : null,
    net_content: size,
    gpc: sort.gpc,
    dimensions: isKnown()
      ? { height_mm: side + random.int(40), width_mm: side, depth_mm: Math.round(side / 2) }
      : null,
    weight: isKnown() ? { gross_g: grams } : null,
    country_of_origin: isKnown() ? maker.country : null,
  };
  const sure = Object.entries(known)
    .filter(([, value]) => value !== null)
    .map(([field]) => [field, (least + random.int(9)) / 100] as const);
  const total = sure.reduce((sum, [, confidence]) => sum + confidence, 0);
  return {
    gtin,
    brandId: brand.id,
    brand: brand.name,
    manufacturer: maker.name,
    ...known,
    confidence_score: Math.round((total / sure.length) * 100) / 100,
    field_confidence: Object.fromEntries(sure),
    is_claimed: status === 'verified' || status === 'pending',
    claim_verification_status: status,
  };
}

/** The same product by the case: indicator digit 1, and its own check digit. */
function makeCase(unit: PlacedProduct): PlacedProduct {
  const body = `1${unit.gtin.slice(1, -1)}`;
  return {
    ...unit,
    gtin: `${body}${checkDigitOf(body)}`,
    product_name: `${unit.product_name}, case of ${UNITS_IN_A_CASE}`,
    net_content: `${UNITS_IN_A_CASE} × ${unit.net_content}`,
    dimensions: unit.dimensions && {
      height_mm: unit.dimensions.height_mm * 2,
      width_mm: unit.dimensions.width_mm * 3,
      depth_mm: unit.dimensions.depth_mm * 2,
    },
    weight: unit.weight && { gross_g: unit.weight.gross_g * UNITS_IN_A_CASE + 180 },
  };
}
