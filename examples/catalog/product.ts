/** The data of the catalogue. A product has the field names of the public API, which publishes it as is. */

export type ClaimStatus = 'unclaimed' | 'pending' | 'verified' | 'rejected';

export interface Organisation {
  readonly id: string;
  readonly name: string;
  /** The domain of its own pages, under a reserved top-level domain. */
  readonly domain: string;
}

export interface Brand {
  readonly id: string;
  readonly organisationId: string;
  readonly name: string;
}

export interface Product {
  /** The normal form, 14 digits. */
  readonly gtin: string;
  readonly product_name: string;
  readonly brand: string;
  readonly manufacturer: string;
  readonly image_url: string | null;
  readonly description: string | null;
  readonly net_content: string;
  /** The brick of the GS1 Global Product Classification. */
  readonly gpc: { readonly code: string; readonly title: string };
  readonly dimensions: {
    readonly height_mm: number;
    readonly width_mm: number;
    readonly depth_mm: number;
  } | null;
  readonly weight: { readonly gross_g: number } | null;
  /** ISO 3166-1 alpha-2. */
  readonly country_of_origin: string | null;
  /** From 0 to 1: the mean of `field_confidence`. */
  readonly confidence_score: number;
  /** The catalogue's confidence in each known field. */
  readonly field_confidence: Readonly<Record<string, number>>;
  readonly is_claimed: boolean;
  readonly claim_verification_status: ClaimStatus;
}

/** A product and its brand. */
export interface PlacedProduct extends Product {
  readonly brandId: string;
}
