import { describe, expect, it } from 'vitest';
import { HIDDEN, hideArgument } from './hide-argument.ts';

describe('a word of a command line', () => {
  it('may hold assignments within assignments, and is hidden where they go on', () => {
    expect(hideArgument('a=b=c=d')).toBe('a=b=c=d');
    const shown = hideArgument(`${'a='.repeat(50_000)}end`);
    expect(shown).toContain(HIDDEN);
    expect(shown.length).toBeLessThan(40);
  });

  it.each(['ab.cd-', 'eyJaaaaaaaa.', '://', 'a://', '?a=b&', 'https://a/', '{"a":'])(
    'takes time that grows with its length, on many %j',
    (part) => {
      const spend = (length: number): number => {
        const start = process.threadCpuUsage().user;
        hideArgument(part.repeat(length / part.length));
        return (process.threadCpuUsage().user - start) / 1000;
      };
      spend(20_000);
      // Sixteen times as much text takes as many times as long, and not the square of that.
      expect(spend(320_000)).toBeLessThan(16 * (spend(20_000) + 10) * 3);
    },
  );
});

it.each([
  '--pat',
  '--github-pat',
  '--githubPat',
  '--dsn',
  '--pwd',
  '--sas',
  '--jwt',
  '--cred',
  '--creds',
  '--session',
  '--session-id',
  '--otp',
])('hides what follows %s, and what is joined to it', (flag) => {
  expect(hideArgument('hunter2', flag)).toBe(HIDDEN);
  const joined = `${flag.replace(/^--/, '')}=hunter2`;
  expect(hideArgument(joined)).toBe(joined.replace('hunter2', HIDDEN));
  expect(hideArgument(`--${joined}`)).toBe(`--${joined}`.replace('hunter2', HIDDEN));
});

it.each(['--path', '--pattern', '--patch', '--credits', '--sass', '--obsession'])(
  'shows what follows %s, which only contains such a word',
  (flag) => {
    expect(hideArgument('src', flag)).toBe('src');
  },
);

it.each(['-p', '-k'])('shows what follows %s, which may as well be a port or a path', (flag) => {
  expect(hideArgument('8080', flag)).toBe('8080');
});

it('shows the name of the variable that a flag takes', () => {
  expect(hideArgument('GITHUB_PAT', '--pat-env')).toBe('GITHUB_PAT');
});
