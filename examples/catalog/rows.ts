/** Converts between table rows and the catalogue's types. schema.ts guarantees the casts in store.ts. */
import type { ClaimStatus, PlacedProduct, Product } from './product.ts';
import type { Day, Destination, PlacedRule, Rule, Scope, TimeCriteria } from './rule.ts';

export type Row = Readonly<Record<string, string | number | null>>;

export type ProductRow = Readonly<{
  gtin14: string;
  product_name: string;
  brand: string;
  manufacturer: string;
  image_url: string | null;
  description: string | null;
  net_content: string;
  gpc_code: string;
  gpc_title: string;
  height_mm: number | null;
  width_mm: number | null;
  depth_mm: number | null;
  gross_g: number | null;
  country_of_origin: string | null;
  confidence_score: number;
  field_confidence: string;
  is_claimed: number;
  claim_verification_status: ClaimStatus;
}>;

export type RuleRow = Readonly<{
  id: string;
  scope: Scope;
  qualifier: string | null;
  order_index: number;
  link_type: string | null;
  custom_url: string | null;
  is_down: number | null;
  when_down: 'skip' | 'hosted' | null;
  absolute_from: string | null;
  absolute_until: string | null;
  annual_from: string | null;
  annual_to: string | null;
  days: string | null;
  hours_from: string | null;
  hours_to: string | null;
}>;

export function productFromRow(row: ProductRow): Product {
  const { height_mm, width_mm, depth_mm, gross_g } = row;
  return Object.freeze({
    gtin: row.gtin14,
    product_name: row.product_name,
    brand: row.brand,
    manufacturer: row.manufacturer,
    image_url: row.image_url,
    description: row.description,
    net_content: row.net_content,
    gpc: Object.freeze({ code: row.gpc_code, title: row.gpc_title }),
    dimensions:
      height_mm === null || width_mm === null || depth_mm === null
        ? null
        : Object.freeze({ height_mm, width_mm, depth_mm }),
    weight: gross_g === null ? null : Object.freeze({ gross_g }),
    country_of_origin: row.country_of_origin,
    confidence_score: row.confidence_score,
    field_confidence: Object.freeze(JSON.parse(row.field_confidence) as Record<string, number>),
    is_claimed: row.is_claimed === 1,
    claim_verification_status: row.claim_verification_status,
  });
}

export function rowFromProduct(product: PlacedProduct): Row {
  const {
    gtin,
    brandId,
    brand: _brand,
    manufacturer: _maker,
    gpc,
    dimensions,
    weight,
    ...same
  } = product;
  return {
    ...same,
    gtin14: gtin,
    brand_id: brandId,
    gpc_code: gpc.code,
    gpc_title: gpc.title,
    height_mm: dimensions?.height_mm ?? null,
    width_mm: dimensions?.width_mm ?? null,
    depth_mm: dimensions?.depth_mm ?? null,
    gross_g: weight?.gross_g ?? null,
    field_confidence: JSON.stringify(product.field_confidence),
    is_claimed: product.is_claimed ? 1 : 0,
  };
}

export function ruleFromRow(row: RuleRow): Rule {
  return Object.freeze({
    id: row.id,
    scope: row.scope,
    orderIndex: row.order_index,
    qualifier: row.qualifier,
    linkType: row.link_type,
    destination: Object.freeze(destinationOf(row)),
    when: Object.freeze(whenOf(row)),
  });
}

export function rowFromRule(rule: PlacedRule): Row {
  const { destination, when } = rule;
  const custom = destination.type === 'CUSTOM_URL' ? destination : undefined;
  return {
    id: rule.id,
    scope: rule.scope,
    organisation_id: rule.organisationId,
    brand_id: rule.brandId,
    gtin14: rule.gtin14,
    qualifier: rule.qualifier,
    order_index: rule.orderIndex,
    link_type: rule.linkType,
    destination_type: destination.type,
    custom_url: custom?.url ?? null,
    is_down: custom === undefined ? null : Number(custom.isDown),
    when_down: custom?.whenDown ?? null,
    absolute_from: when.absolute?.from ?? null,
    absolute_until: when.absolute?.until ?? null,
    annual_from: when.annual?.from ?? null,
    annual_to: when.annual?.to ?? null,
    days: when.days === undefined ? null : JSON.stringify(when.days),
    hours_from: when.hours?.from ?? null,
    hours_to: when.hours?.to ?? null,
  };
}

function destinationOf({ custom_url, is_down, when_down }: RuleRow): Destination {
  if (custom_url === null || when_down === null) return { type: 'HOSTED_PAGE' };
  return { type: 'CUSTOM_URL', url: custom_url, isDown: is_down === 1, whenDown: when_down };
}

function whenOf(row: RuleRow): TimeCriteria {
  const { absolute_from, absolute_until, annual_from, annual_to, days, hours_from, hours_to } = row;
  const absolute = {
    ...(absolute_from !== null && { from: absolute_from }),
    ...(absolute_until !== null && { until: absolute_until }),
  };
  return {
    ...((absolute_from !== null || absolute_until !== null) && { absolute }),
    ...(annual_from !== null &&
      annual_to !== null && { annual: { from: annual_from, to: annual_to } }),
    ...(days !== null && { days: JSON.parse(days) as readonly Day[] }),
    ...(hours_from !== null && hours_to !== null && { hours: { from: hours_from, to: hours_to } }),
  };
}
