/** What the catalogue holds. A product has the field names of the public API, as it is published whole. */

export type ClaimStatus = 'unclaimed' | 'pending' | 'verified' | 'rejected';

export interface Organisation {
  readonly id: string;
  readonly name: string;
  /** Of its own pages, under a top-level domain that nobody can register. */
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
  /** How sure the catalogue is of each field that it knows. */
  readonly field_confidence: Readonly<Record<string, number>>;
  readonly is_claimed: boolean;
  readonly claim_verification_status: ClaimStatus;
}

/** A product and the brand it stands under. */
export interface PlacedProduct extends Product {
  readonly brandId: string;
}
