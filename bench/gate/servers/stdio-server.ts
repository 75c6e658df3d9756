/** The SDK's own server over standard input and output. */
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { invoiceServer } from './invoice-server.ts';

serveStdio(invoiceServer);
