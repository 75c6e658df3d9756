/**
 * The shape of a policy as written, with its defaults. Checks one value at a time; what must agree
 * across values is the business of `policy-agreement.ts`.
 */
import { z } from 'zod';
import type { Act } from '../../effect/act.ts';
import { ACTS } from '../../effect/act.ts';
import type { TellingConvention } from '../../effect/conventions/telling-conventions.ts';
import { TELLING_CONVENTIONS } from '../../effect/conventions/telling-conventions.ts';
import { TIER_NAMES } from '../../effect/tier.ts';
import { oneOrMore, only } from '../../lib/check-shape.ts';
import { isSafeUrl } from '../../lib/is-safe-url.ts';
import { DEFAULT_ASKING, GRANT_SCOPES, LONGEST_EXPIRY_SECONDS } from './verdict.ts';
import { checkCondition } from './condition.ts';
import type { Policy } from './policy.ts';

const ACT_NAMES = Object.keys(ACTS) as Act[]; // the record's keys are exactly the union
const DAY_MINUTES = 1440;
const NAME = /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,63}$/u;

const name = z.string().regex(NAME, 'must be a short name of letters, digits, spaces and ._-');
const pattern = z.string().min(1).max(256);
const mode = z.enum(['sandbox', 'live']);
const whole = (least: number, most: number) => z.int().min(least).max(most);

const match = only({
  server: oneOrMore(pattern).exactOptional(),
  tool: oneOrMore(pattern).exactOptional(),
  tier: oneOrMore(z.enum(TIER_NAMES)).exactOptional(),
  act: oneOrMore(z.enum(ACT_NAMES)).exactOptional(),
  mode: mode.exactOptional(),
  principal: oneOrMore(pattern).exactOptional(),
});

const askingShape = {
  channels: z.array(z.enum(['elicitation', 'console', 'terminal', 'webhook'])).min(1),
  grants: z.union([z.literal('by-tier'), z.array(z.enum(GRANT_SCOPES))]),
  expirySeconds: whole(1, LONGEST_EXPIRY_SECONDS),
  holdSeconds: whole(0, LONGEST_EXPIRY_SECONDS),
  grantMinutes: whole(1, DAY_MINUTES),
  readBefore: z.boolean(),
};

const wishes = only({
  channels: askingShape.channels.exactOptional(),
  grants: askingShape.grants.exactOptional(),
  expirySeconds: askingShape.expirySeconds.exactOptional(),
  holdSeconds: askingShape.holdSeconds.exactOptional(),
  grantMinutes: askingShape.grantMinutes.exactOptional(),
  readBefore: askingShape.readBefore.exactOptional(),
});

const condition = z
  .string()
  .max(4096)
  .superRefine((text, context) => {
    const fault = checkCondition(text);
    if (fault === undefined) return;
    context.addIssue({ code: 'custom', message: fault.detail, params: { at: fault.at } });
  });

const rule = only({
  name,
  match: match.exactOptional(),
  when: condition.exactOptional(),
  // oxlint-disable-next-line unicorn/no-thenable -- a key of the file; its value is a word
  then: z.enum(['allow', 'ask', 'deny']),
  because: z.string().min(1).max(300).exactOptional(),
  ask: wishes.exactOptional(),
  repeats: z.enum(['allow']).exactOptional(),
});

const budget = only({
  name,
  match: match.exactOptional(),
  counts: z.enum(['calls', 'compute-seconds', 'money']),
  limit: z.number().min(0),
  unit: z.string().min(1).max(20).exactOptional(),
  per: z.enum(['minute', 'hour', 'day', 'month']),
  shared: z.boolean().default(false),
});

const cache = only({
  server: oneOrMore(pattern).exactOptional(),
  tool: oneOrMore(pattern),
  seconds: whole(1, DAY_MINUTES * 60),
});

const webhook = only({
  url: z.string().refine((text) => {
    const address = URL.parse(text);
    if (address === null || address.username !== '' || address.password !== '') return false;
    return isSafeUrl(address);
  }, 'must be an https address (http only on this machine)'),
  secretEnv: z.string().regex(/^[A-Za-z_]\w*$/, 'must name an environment variable'),
});

const retries = only({
  attempts: whole(1, 10).default(3),
  baseMs: whole(0, 60_000).default(100),
  capMs: whole(0, 600_000).default(20_000),
});

const tellingNames = Object.keys(TELLING_CONVENTIONS) as TellingConvention[]; // its keys are the type

const asking = only({
  channels: askingShape.channels.default([...DEFAULT_ASKING.channels]),
  grants: askingShape.grants.default(DEFAULT_ASKING.grants as 'by-tier'),
  expirySeconds: askingShape.expirySeconds.default(DEFAULT_ASKING.expirySeconds),
  holdSeconds: askingShape.holdSeconds.default(DEFAULT_ASKING.holdSeconds),
  grantMinutes: askingShape.grantMinutes.default(DEFAULT_ASKING.grantMinutes),
  readBefore: askingShape.readBefore.default(DEFAULT_ASKING.readBefore),
});

export const policySchema: z.ZodType<Omit<Policy, 'version'>> = only({
  mode: mode.default('live'),
  rules: z.array(rule).default([]),
  asking: asking.prefault({}),
  headless: z.enum(['no', 'pend', 'refuse']).default('no'),
  budgets: z.array(budget).default([]),
  caches: z.array(cache).default([]),
  webhook: webhook.exactOptional(),
  servers: z
    .record(
      z.string(),
      only({
        trusted: z.boolean().exactOptional(),
        mode: mode.exactOptional(),
        convention: z.enum(tellingNames).exactOptional(),
        retries: z.enum(['by-effect', 'by-hint']).exactOptional(),
      }),
    )
    .default({}),
  retries: retries.prefault({}),
  duplicateMinutes: whole(0, DAY_MINUTES).default(10),
  firstUse: z.enum(['ask', 'allow']).default('ask'),
  hints: z.enum(['pass', 'raise', 'pinned']).default('pass'),
  keepArguments: z.enum(['none', 'digest', 'redacted', 'full']).default('digest'),
  console: z.enum(['on-demand', 'off']).default('on-demand'),
  notify: z.boolean().default(true),
  methods: z.array(pattern).default([]),
});
