/**
 * Modules of Node that most processes never use, loaded at their first use. Not with `import`, which reads
 * every export: three of those of `node:http` load the whole client behind `fetch`, a tenth of a start.
 */
import type * as http from 'node:http';
import type * as zlib from 'node:zlib';

export const nodeHttp = (): typeof http => process.getBuiltinModule('node:http');
export const nodeZlib = (): typeof zlib => process.getBuiltinModule('node:zlib');
