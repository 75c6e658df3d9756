import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Bucket } from './rate-limit.ts';
import { RateLimiter, takeToken } from './rate-limit.ts';

const RULE = { name: 'test', burst: 3, perMinute: 30 };

describe('takeToken', () => {
  it('lets a burst through, then tells how long to wait, and is right about it', () => {
    let bucket: Bucket | undefined;
    for (let call = 0; call < 3; call += 1) {
      const decision = takeToken(RULE, bucket, 0);
      expect(decision.kind).toBe('taken');
      bucket = decision.bucket;
    }
    expect(takeToken(RULE, bucket, 0)).toMatchObject({ kind: 'wait', retryAfter: 2 });
    expect(takeToken(RULE, bucket, 1999).kind).toBe('wait');
    expect(takeToken(RULE, bucket, 2000).kind).toBe('taken');
  });

  it('never grants more than burst and rate allow, whatever the clock does', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -5000, max: 5000 }), { maxLength: 200 }), (steps) => {
        let bucket: Bucket | undefined;
        let [now, latest, taken] = [0, 0, 0];
        for (const step of steps) {
          now += step;
          latest = Math.max(latest, now);
          const decision = takeToken(RULE, bucket ?? { tokens: RULE.burst, at: 0 }, now);
          bucket = decision.bucket;
          if (decision.kind === 'taken') taken += 1;
        }
        expect(taken).toBeLessThanOrEqual(RULE.burst + (latest * RULE.perMinute) / 60_000 + 1e-6);
      }),
    );
  });
});

describe('RateLimiter', () => {
  it('counts each caller and each rule apart', () => {
    let now = 0;
    const limiter = new RateLimiter(() => now);
    for (let call = 0; call < 3; call += 1) expect(limiter.take('ada', RULE)).toBeUndefined();
    expect(limiter.take('ada', RULE)).toBe(2);
    expect(limiter.take('bob', RULE)).toBeUndefined();
    expect(limiter.take('ada', { ...RULE, name: 'other' })).toBeUndefined();
    now = 2000;
    expect(limiter.take('ada', RULE)).toBeUndefined();
  });
});
