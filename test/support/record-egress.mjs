/**
 * Writes down whatever a process does to reach beyond itself: connections, datagrams, name lookups and
 * processes that it starts. Loaded before everything else, through NODE_OPTIONS.
 */
import { appendFileSync } from 'node:fs';
import dgram from 'node:dgram';
import dns from 'node:dns';
import net from 'node:net';
import { subscribe } from 'node:diagnostics_channel';

const FILE = process.env['PLIMSOLL_EGRESS'];

/** @param {string} what */
function record(what) {
  if (FILE !== undefined) appendFileSync(FILE, `${what}\n`);
}

/**
 * @param {object} target
 * @param {string} name
 * @param {string} what
 */
function watch(target, name, what) {
  const inner = /** @type {(...args: unknown[]) => unknown} */ (Reflect.get(target, name));
  /**
   * @this {unknown}
   * @param {unknown[]} args
   */
  function watched(...args) {
    record(what);
    return inner.apply(this, args);
  }
  Reflect.set(target, name, watched);
}

watch(net.Socket.prototype, 'connect', 'connection');
watch(dgram.Socket.prototype, 'send', 'datagram');
for (const name of ['lookup', 'resolve', 'resolve4', 'resolve6']) {
  watch(dns, name, 'name lookup');
  watch(dns.promises, name, 'name lookup');
}
subscribe('tracing:child_process.spawn:start', () => record('process'));
