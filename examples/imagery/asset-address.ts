/**
 * The addresses of assets in the shop's own storage, as used by analytics. Nothing is fetched from
 * them.
 */

const HOST = 'https://assets.imagery.example';
const ADDRESS = /^https:\/\/assets\.imagery\.example\/(ast_[0-9a-f]{32})$/;

export function toAssetAddress(assetId: string): string {
  return `${HOST}/${assetId}`;
}

/** The id of the asset; `undefined` for any other address. */
export function fromAssetAddress(address: string): string | undefined {
  return ADDRESS.exec(address)?.[1];
}
