/** Finding imagery: catalogues, the glossary, rendering aids and licences. */
import type { Declaration } from 'plimsoll';
import { reads, sets } from 'plimsoll';
import { declare } from '../golden.ts';
import { account, callerUrl, platform, pure, vendor } from './facts.ts';

const catalogRead = ['catalog:read'];
const tilesRead = ['tiles:read'];
const eulasRead = ['eulas:read'];
const eulasWrite = ['eulas:write'];

export const catalog: readonly Declaration[] = [
  // Searches go out to the catalogues of vendors and public archives.
  declare('catalog.search', 'Search Imagery Catalog', reads('scene', vendor), catalogRead),
  declare('catalog.federated_search', 'Search All Catalogs', reads('scene', vendor), catalogRead),
  declare('catalog.granule_points', 'Get Granule Points', reads('point', vendor), catalogRead),
  declare('catalog.info.landsat', 'Get Landsat Scene Info', reads('scene', vendor), tilesRead),
  declare('catalog.info.naip', 'Get NAIP Scene Info', reads('scene', vendor), tilesRead),
  declare('catalog.info.sentinel', 'Get Sentinel Scene Info', reads('scene', vendor), tilesRead),
  declare('catalog.info.sample', 'Get Sample Scene Info', reads('sample', vendor), tilesRead),
  declare('catalog.provider.samples', 'List Sample Scenes', reads('sample', vendor), tilesRead),

  // Who can be searched and how scenes are best shown is Geopera's own knowledge.
  declare('catalog.providers.list', 'List Providers', reads('provider', platform), tilesRead),
  declare('catalog.sources.list', 'List Sources', reads('source', platform), catalogRead),
  declare('catalog.vendors.list', 'List Vendors', reads('vendor', platform), catalogRead),
  declare('catalog.viz.landsat', 'List Landsat Views', reads('view', platform), tilesRead),
  declare('catalog.viz.naip', 'List NAIP Views', reads('view', platform), tilesRead),

  // The glossary
  declare(
    'glossary.collections.get',
    'Get Glossary Collection',
    reads('catalog collection', platform),
    catalogRead,
  ),
  declare(
    'glossary.collections.list',
    'List Glossary Collections',
    reads('catalog collection', platform),
    catalogRead,
  ),
  declare(
    'glossary.data_products.get',
    'Get Data Product',
    reads('data product', platform),
    catalogRead,
  ),
  declare(
    'glossary.data_products.list',
    'List Data Products',
    reads('data product', platform),
    catalogRead,
  ),
  declare(
    'glossary.providers.get',
    'Get Glossary Provider',
    reads('provider', platform),
    catalogRead,
  ),
  declare(
    'glossary.providers.list',
    'List Glossary Providers',
    reads('provider', platform),
    catalogRead,
  ),

  // Rendering aids
  declare('cog.colormaps', 'List Colormaps', reads('colormap', platform), tilesRead),
  declare('cog.formulas', 'List Built-in Formulas', reads('formula', platform), tilesRead),
  declare('cog.statistics', 'Get Raster Statistics', reads('raster', callerUrl), tilesRead),
  declare('visualization.list_for', 'List Fitting Views', reads('view', pure), tilesRead),

  // Licences
  declare('eulas.list', 'List Licences', reads('licence', platform), eulasRead),
  declare('eulas.get', 'Get Licence', reads('licence', platform), eulasRead),
  declare(
    'eulas.documents.list',
    'List Licence Documents',
    reads('licence document', platform),
    eulasRead,
  ),
  declare(
    'eulas.document.get',
    'Get Licence Document',
    reads('licence document', platform),
    eulasRead,
  ),
  declare(
    'eulas.document.accept',
    'Accept Licence Document',
    sets('licence acceptance', account),
    eulasWrite,
  ),
];
