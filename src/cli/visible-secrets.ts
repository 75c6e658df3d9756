/** Finds secrets on a command line, which every user of the machine can read in the process list. Pure. */

const LEDGER = /^(?:--ledger=)?postgres(?:ql)?:\/\/[^/@]*:[^/@]+@/;
const HEADER =
  /^(?:--header=)?(?:authorization|proxy-authorization|cookie|[\w-]*(?:key|token|secret)):\s*\S/i;

/** What to say about each kind of them. Arguments of a server's own command are its own business. */
export function visibleSecrets(args: readonly string[]): readonly string[] {
  const end = args.indexOf('--');
  const own = end === -1 ? args : args.slice(0, end);
  return [
    ...(own.some((each) => LEDGER.test(each))
      ? [`the password in --ledger ${SEEN}; leave it out and set PGPASSWORD`]
      : []),
    ...(own.some((each) => HEADER.test(each))
      ? [`the credential in --header ${SEEN}; use --header-env`]
      : []),
  ];
}

const SEEN = 'can be seen by other users of this machine in the process list';
