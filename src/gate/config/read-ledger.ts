/** The address of the ledger: a file beside the configuration, or a database whose password is not told. */
import { resolve } from 'node:path';
import type { Spot } from './spot.ts';
import { fault, readTemplate } from './spot.ts';

const PASSWORD = /^postgres(?:ql)?:\/\/[^/@]*:([^/@]+)@/;

export function readLedger(spot: Spot | undefined, folder: string): string | undefined {
  const address = readTemplate(spot);
  if (spot === undefined || address === undefined) return undefined;
  const file = /^sqlite:(.+)$/.exec(address)?.[1];
  if (file !== undefined) return `sqlite:${file === ':memory:' ? file : resolve(folder, file)}`;
  if (!/^postgres(?:ql)?:\/\//.test(address)) {
    return fault(spot, 'must be sqlite:FILE or postgres://….');
  }
  const password = PASSWORD.exec(address)?.[1];
  if (password !== undefined && !/^\$\{[^}]+\}$/.test(password)) {
    return fault(spot, 'a password never stands in this file; write ${NAME} in its place.');
  }
  return address;
}
