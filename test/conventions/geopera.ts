/** Geopera's whole tool surface, declared as effects: what the golden test stamps and compares. */
import type { Declaration } from 'plimsoll';
import { billing } from './geopera/billing.ts';
import { catalog } from './geopera/catalog.ts';
import { imagery } from './geopera/imagery.ts';
import { orders } from './geopera/orders.ts';
import { organization } from './geopera/organization.ts';
import { processing } from './geopera/processing.ts';

export const declarations: readonly Declaration[] = [
  ...catalog,
  ...orders,
  ...imagery,
  ...processing,
  ...billing,
  ...organization,
];
