/**
 * Writes down every fault of this process: an internal error that somebody was answered with, a report
 * whose cause is a mistake in the code, an exception that nothing caught. Loaded by the test workers
 * and, through NODE_OPTIONS, before everything else by the Node processes that they start. Must run
 * on any Node, since servers of others are among them.
 */
import { subscribe } from 'node:diagnostics_channel';
import { appendFileSync } from 'node:fs';

const MISTAKES = new Set(['TypeError', 'ReferenceError', 'RangeError', 'AssertionError']);
/** What the kit answers when an operation of its user throws is no fault of ours. */
const OPERATION_FAILED = /\/src\/invoke\//;

subscribe('plimsoll:report', (data) => {
  const { message, cause } = /** @type {{ message: string, cause: unknown }} */ (data);
  if (isMistake(cause)) record(`reported: ${message}: ${cause.stack}`);
});
subscribe('plimsoll:internal-error', (data) => {
  const { detail } = /** @type {{ detail: string }} */ (data);
  const stack = new Error(detail).stack ?? '';
  const maker = stack.split('\n').find((line) => /\/(?:src|dist)\/(?!lib\/)/.test(line)) ?? '';
  if (!OPERATION_FAILED.test(maker)) record(`internal-error: ${detail}\n${maker}`);
});
if (isOurs(process.argv[1])) {
  process.on('uncaughtExceptionMonitor', (error, origin) => {
    record(`${origin}: ${error.stack ?? String(error)}`);
  });
}

/** @param {string} text */
function record(text) {
  const file = process.env['PLIMSOLL_FAULTS'];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(text)}\n`);
}

/**
 * @param {unknown} cause
 * @returns {cause is Error}
 */
function isMistake(cause) {
  // The platform's `fetch` fails with a TypeError, too; that one has the failure as its cause.
  return cause instanceof Error && MISTAKES.has(cause.name) && cause.cause === undefined;
}

/** @param {string | undefined} program */
function isOurs(program) {
  return program !== undefined && !program.includes('node_modules');
}
