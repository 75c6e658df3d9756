/** Tools that say something before they answer, or answer on another stream than the first. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Operation } from 'plimsoll/server';
import { contextOf, defineLookup } from './lookup.ts';

/** Long enough for clients to see the messages come one by one. */
const PAUSE_MS = 50;

const progress = defineLookup({
  name: 'test_tool_with_progress',
  title: 'Progress',
  description: 'Tells three times how far it is.',
  run: async (call) => {
    await call.progress(0, 100);
    await sleep(PAUSE_MS);
    await call.progress(50, 100);
    await sleep(PAUSE_MS);
    await call.progress(100, 100);
    return 'Done, with progress.';
  },
});

const logging = defineLookup({
  name: 'test_tool_with_logging',
  title: 'Several Log Messages',
  description: 'Sends three log messages while it works.',
  run: async (call) => {
    const { mcpReq } = contextOf(call);
    await mcpReq.log('info', 'Tool execution started');
    await sleep(PAUSE_MS);
    await mcpReq.log('info', 'Tool processing data');
    await sleep(PAUSE_MS);
    await mcpReq.log('info', 'Tool execution completed');
    return 'Done, with messages.';
  },
});

const loggingOnce = defineLookup({
  name: 'test_logging_tool',
  title: 'One Log Message',
  description: 'Sends one log message, if the client asked for any.',
  run: async (call) => {
    await contextOf(call).mcpReq.log('info', 'The tool ran.');
    return 'Done, with a message for who asked.';
  },
});

const reconnection = defineLookup({
  name: 'test_reconnection',
  title: 'Reconnection',
  description: 'Closes the stream it was called on; the answer waits for the client to come back.',
  run: async (call) => {
    contextOf(call).http?.closeSSE?.();
    await sleep(2 * PAUSE_MS);
    return 'Answered after the stream was closed.';
  },
});

export const streamTools: readonly Operation[] = [progress, logging, loggingOnce, reconnection];
