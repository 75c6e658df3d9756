/**
 * Modules of Node that most processes never use, loaded at their first use. Not with `import`, which reads
 * every export: three of those of `node:http` load the whole client behind `fetch`, a tenth of a start.
 */
type Http = typeof import('node:http');
type Https = typeof import('node:https');
type Zlib = typeof import('node:zlib');

export const nodeHttp = (): Http => process.getBuiltinModule('node:http');
export const nodeHttps = (): Https => process.getBuiltinModule('node:https');
export const nodeZlib = (): Zlib => process.getBuiltinModule('node:zlib');
