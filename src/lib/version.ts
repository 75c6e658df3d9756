/** The version of this package. The path holds in the source, in the library and in the bundled command line. */
import { createRequire } from 'node:module';

const manifest = createRequire(import.meta.url)('../../package.json') as {
  readonly version: string;
};

export const VERSION: string = manifest.version;
