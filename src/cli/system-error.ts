/** What the system or the network refused, in a sentence that says what to do; other errors in their own words. */
import { describeFileError } from '../lib/describe-file-error.ts';

interface SystemError extends Error {
  readonly code?: unknown;
  readonly syscall?: string;
  readonly path?: string;
  readonly address?: string;
  readonly port?: number;
  readonly hostname?: string;
}

export function toSentence(error: Error): string {
  const { cause } = error;
  const given = error as SystemError;
  // `fetch` says only that it failed; why is in its cause.
  const system =
    cause instanceof Error && given.code === undefined ? (cause as SystemError) : given;
  return SENTENCES[String(system.code)]?.(system) ?? toFileSentence(system) ?? withCause(error);
}

function withCause({ message, cause }: Error): string {
  return message === 'fetch failed' && cause instanceof Error
    ? `${message}: ${cause.message}`
    : message;
}

function toFileSentence(error: SystemError): string | undefined {
  const why = describeFileError(error);
  if (error.path === undefined || why === error.message) return undefined;
  return `${error.path} cannot be used: ${why}`;
}

const SENTENCES: Readonly<Record<string, (error: SystemError) => string>> = {
  EADDRINUSE: ({ address, port }) =>
    `port ${port} of ${address} is in use; stop the program that uses it, or choose another port`,
  EADDRNOTAVAIL: ({ address }) =>
    `${address} is not an address of this machine; 127.0.0.1 always is`,
  EACCES: (error) =>
    error.syscall === 'listen'
      ? `this user may not open port ${error.port}; choose one from 1024 up`
      : (toFileSentence(error) ?? error.message),
  ENOTFOUND: notFound,
  EAI_AGAIN: notFound,
  ECONNREFUSED: ({ address, port }) =>
    `nothing answers at ${address} port ${port}; check the address, and that the server runs`,
  ENETUNREACH: offline,
  EHOSTUNREACH: offline,
};

function notFound({ hostname }: SystemError): string {
  return `${hostname} cannot be found; check its name, and that this machine is online`;
}

function offline({ address }: SystemError): string {
  return `${address} cannot be reached; check that this machine is online`;
}
