/**
 * Whether a message belongs to the modern era, and whether its headers say what its body says.
 * Somebody between client and server may have decided on the headers alone.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Problem } from '../../lib/problem.ts';
import { toProblem } from '../../lib/problem.ts';
import type { RpcMessage } from '../protocol/frame.ts';
import { isObject } from '../protocol/read-frame.ts';
import {
  CODES,
  eraOf,
  isModernVersion,
  isNamed,
  META,
  nameOf,
  readMeta,
} from '../protocol/envelope.ts';
import { fromHeaderText } from '../protocol/param-headers.ts';

interface Fault {
  readonly code: number;
  readonly message: string;
  readonly remedy: string;
}

export function toFaultProblem({ message, remedy }: Fault): Problem {
  return toProblem('invalid-request', message, { remedy });
}

const INVALID_REQUEST = -32_600;

const REVISION = /^\d{4}-\d{2}-\d{2}$/;

/** A message without an envelope is judged by its headers; only the 2025 revisions have sessions. */
export function isModern(message: RpcMessage, headers: IncomingHttpHeaders): boolean {
  if (eraOf(message) === 'modern') return true;
  const version = headerOf(headers, 'mcp-protocol-version');
  if (version === undefined || headers['mcp-session-id'] !== undefined) return false;
  return REVISION.test(version) && isModernVersion(version);
}

/** Of a message that is modern. */
export function checkEnvelope(
  message: RpcMessage,
  headers: IncomingHttpHeaders,
): Fault | undefined {
  if (message.method === undefined) {
    const detail = 'Clients of this revision send no responses.';
    const remedy = 'Send the answer as `inputResponses`, in a request that repeats the first one.';
    return { code: INVALID_REQUEST, message: detail, remedy };
  }
  if (message.id === undefined) return checkMirrors(message, headers, false);
  return checkMeta(message) ?? checkMirrors(message, headers, true);
}

function checkMeta(message: RpcMessage): Fault | undefined {
  const meta = readMeta(message.params);
  if (message.method === 'initialize' && eraOf(message) === 'legacy') {
    return mismatch('initialize belongs to revisions before the one in MCP-Protocol-Version');
  }
  if (typeof meta[META.version] !== 'string') return missing(META.version);
  return isObject(meta[META.capabilities]) ? undefined : missing(META.capabilities);
}

/** Of a message of the 2025 revisions, which need not repeat anything in headers. */
export function checkStray(message: RpcMessage, headers: IncomingHttpHeaders): Fault | undefined {
  return checkMirrors(message, headers, false);
}

/** Notifications need no headers, but those that they have must be true. */
function checkMirrors(
  message: RpcMessage,
  headers: IncomingHttpHeaders,
  areNeeded: boolean,
): Fault | undefined {
  const version = headerOf(headers, 'mcp-protocol-version');
  const claimed = readMeta(message.params)[META.version];
  if (version === undefined ? areNeeded : claimed !== undefined && claimed !== version) {
    return mismatch('MCP-Protocol-Version does not repeat the version in _meta');
  }
  const method = headerOf(headers, 'mcp-method');
  if (method === undefined ? areNeeded : method !== message.method) {
    return mismatch('Mcp-Method does not repeat the method');
  }
  const isNeeded = areNeeded && isNamed(message);
  return isNeeded || headers['mcp-name'] !== undefined ? checkName(message, headers) : undefined;
}

function checkName(message: RpcMessage, headers: IncomingHttpHeaders): Fault | undefined {
  const name = nameOf(message);
  const value = headerOf(headers, 'mcp-name');
  if (value === undefined && name === undefined) return undefined;
  const told = value === undefined ? undefined : fromHeaderText(value);
  const isExcused = name === undefined && isNamed(message); // what is wrong with it is for the server to say
  if (told === undefined || (!isExcused && told !== name)) {
    return mismatch('Mcp-Name does not repeat the name in the parameters');
  }
  return undefined;
}

function headerOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}

function mismatch(detail: string): Fault {
  const remedy = 'Send the same in the headers as in the body.';
  return { code: CODES.headerMismatch, message: `Headers and body disagree: ${detail}.`, remedy };
}

function missing(key: string): Fault {
  const remedy = `Send ${key} in \`params._meta\` of each request.`;
  return { code: CODES.invalidParams, message: `The request lacks ${key} in _meta.`, remedy };
}
