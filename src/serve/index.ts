/** `plimsoll/server`: declared operations, served. Everything an author of a server imports. */
export * from '../index.ts';
export type { Authenticate, Identity } from '../invoke/identity.ts';
export type { Outcome, Recorded } from '../invoke/outcome.ts';
export { openFileLedger } from '../ledger/file-ledger.ts';
export type { Ledger } from '../ledger/ledger.ts';
export type { Receipt, Via } from '../ledger/receipt.ts';
export type { ProblemCode, ProblemKind } from '../lib/problem-catalog.ts';
export { PROBLEMS } from '../lib/problem-catalog.ts';
export type { InputError, Problem, ProblemFields } from '../lib/problem.ts';
export { ProblemError, toProblem } from '../lib/problem.ts';
export type { McpExtras, PlimsollServer, ServerInit } from './create-server.ts';
export { createServer } from './create-server.ts';
export type { HttpApp, HttpOptions, HttpServer } from './http/open-http.ts';
export { openHttp, openHttpApp } from './http/open-http.ts';
export type { StdioOptions } from './open-stdio.ts';
export { openStdio } from './open-stdio.ts';
export type { StaticToken } from './static-tokens.ts';
export { staticTokens } from './static-tokens.ts';
