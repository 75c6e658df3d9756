/**
 * `npm run bench:growth`: what grows when a ledger, a policy, a lock, a queue of questions or the number of servers
 * grows, as CPU time. Only prints; no goals. The largest ledger can be given: `npm run bench:growth -- 10000000`
 * takes about half an hour and 8 GB.
 */
import { measurePins } from './growth/measure-pins.ts';
import { measureQuestions } from './growth/measure-questions.ts';
import { measureReceipts } from './growth/measure-receipts.ts';
import { measureRules } from './growth/measure-rules.ts';
import { measureServers } from './growth/measure-servers.ts';
import { readInput } from '../scripts/read-input.ts';
import { showHelp } from '../scripts/show-help.ts';
import { readReceipts } from './read-receipts.ts';
import { openBenchFolder } from './open-bench-folder.ts';

showHelp(`usage: npm run bench:growth -- [receipts]
Prints what grows with a ledger, a policy, a lock, a queue of questions and the number of servers.
  receipts  how many the largest ledger has, from 1000 on (1000000); 10000000 takes half an hour and 8 GB
`);
const most = readInput(() =>
  readReceipts(1000, 'the largest ledger is a number of receipts, from 1000 on'),
);
const opened = openBenchFolder('growth');
const folder = opened.path;
try {
  measureRules();
  await measureQuestions(folder);
  await measurePins(folder);
  await measureServers(folder);
  await measureReceipts(folder, most);
} finally {
  opened[Symbol.dispose]();
}
