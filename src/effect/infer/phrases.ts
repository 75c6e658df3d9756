/** Phrases in descriptions that indicate an effect, whatever the name says. */
import type { Act } from '../act.ts';

interface Phrase {
  readonly act: Act;
  readonly pattern: RegExp;
  /** Counts for a read, too; the others are too common in the warnings of reads. */
  readonly evenOfReads: boolean;
  /** Further on it is as likely about something else. */
  readonly onlyAtStart: boolean;
  /** It names no act; the one given is what it would be at worst. */
  readonly warns?: true;
}

function phrase(act: Act, pattern: RegExp, evenOfReads = false): Phrase {
  return { act, pattern, evenOfReads, onlyAtStart: false };
}

function warning(pattern: RegExp): Phrase {
  return { ...phrase('delete', pattern), warns: true };
}

function early(act: Act, pattern: RegExp): Phrase {
  return { act, pattern, evenOfReads: false, onlyAtStart: true };
}

export const PHRASES: readonly Phrase[] = [
  phrase('delete', /\b(?:permanently|irreversibly|irrevocably) (?:delet|remov|eras|destroy|wip)/i),
  warning(/\b(?:can ?not|can't) be (?:undone|reversed|recovered|restored)\b/i),
  warning(
    /\b(?:irreversibl|irrevocabl|irrecoverabl|unrecoverabl)[ey]\b|\bno undo\b|\bno (?:way|means) (?:to|of) (?:undo|recover)/i,
  ),
  warning(/\bnot(?: be)? (?:reversible|recoverable|undoable)\b|\bnon-reversible\b/i),
  warning(/\bdestructive\b/i),
  warning(/\buse with (?:extreme |great )?(?:caution|care)\b|\bhigh[- ]risk\b|\bdangerous\b/i),
  phrase(
    'delete',
    /\b(?:wipes|erases|drops|deletes|removes|clears|destroys|discards) (?:all|everything|every|the entire|(?:any )?existing)\b/i,
  ),
  phrase(
    'delete',
    /\b(?:data|changes|content|history|messages|files|records|rows|settings) (?:will be|are|is|gets?) (?:permanently )?(?:lost|deleted|erased|wiped|removed|discarded)\b/i,
  ),
  phrase(
    'delete',
    /\b(?:existing|missing|remaining|older|old|extra|unlisted|unmatched|local|current|previous) (?:\w+ ){0,5}(?:is|are|will be|gets?) (?:automatically )?(?:deleted|removed|overwritten|discarded|lost|erased)\b|\bdiscard(?:s|ing) (?:\w+ ){0,2}changes\b/i,
  ),
  early('cancel', /^\W*(?:tear|shut|take|bring|spin|wind)s? (?:\w+ )?down\b/i),
  early(
    'cancel',
    /^\W*closes? (?:all|every) running\b|\b(?:taskkill|sigkill|kill -9|force[- ](?:quit|kill)s?)\b/i,
  ),
  early('cancel', /\btak(?:es?|ing) (?:\w+ ){0,4}offline\b/i),
  early(
    'deliver',
    /\b(?:is|are|will be|gets?) (?:automatically |immediately )?(?:notified|e-?mailed|messaged|invited)\b(?! (?:when|if|once|whenever))|\b(?:e-?mail|mail|notification|invitation)s? go(?:es)? out\b/i,
  ),
  phrase(
    'revoke',
    /\binvalidat(?:es|ing) (?:all|any|existing|every|previous|old|the (?:old|existing|previous|current))\b|\b(?:logs?|signs?|kicks?) (?:out|off) (?:all|every|everyone|users|the user|other)\b/i,
  ),
  phrase(
    'cancel',
    /\b(?:terminates|ends|kills|closes|disconnects|restarts|reboots) (?:all|any|every|active|existing)\b|\b(?:causes?|cause|brief|short) (?:downtime|an outage|outages?|interruptions?|disruptions?)\b/i,
  ),
  phrase(
    'delete',
    /(?:^|\(|\b(?:tool|endpoint|operation|method|action) (?:is|can be) )used to (?:redact|cancel|delete|remove|revoke|terminate)\b/i,
  ),
  phrase(
    'put',
    /\b(?:omitted|missing|unlisted|unspecified) (?:\w+ )?(?:is|are|will be|gets?) (?:removed|deleted|cleared|erased)\b/i,
  ),
  phrase('delete', /\b(?:gets?|getting) rid of\b/i, true),
  phrase(
    'spend',
    /\b(?:and|then|also|afterwards?),? (?:\w+ly )?(?:charges|pays|bills|debits) (?:it|them|the|all|every|your|its|for)\b/i,
    true,
  ),
  phrase(
    'put',
    /\boverwrit(?:es?|ing) (?:the |any |all |an? )?(?:existing|entire|whole|current)/i,
    true,
  ),
  phrase('delete', /\bquer(?:y|ies) (?:or|and) mutations?\b|\bgraphql (?:\w+ )?mutations?\b/i),
  phrase('delete', /\bdestructive to (?:\w+ ){0,2}(?:data|tables?|files?|content|state)\b/i),
  phrase(
    'put',
    /\b(?:completely|fully|entirely) (?:replac|overwrit)|\breplac(?:es?|ing)\b[^.]{0,50}\b(?:entirely|completely|wholesale)\b/i,
  ),
  phrase('put', /\breplac(?:es?|ing) (?:the )?(?:entire|whole)\b/i),
  early('put', /^\W*(?:set|update|write|save)s? the (?:full|entire|whole|complete) \w+/i),
  phrase('delete', /\b(?:executes?|runs?|evaluates?) (?:an? )?(?:arbitrary|raw|shell|bash)\b/i),
  phrase('delete', /\b(?:arbitrary|shell|bash|terminal) (?:code|commands?|scripts?|sql)\b/i),
  early('delete', /\bwill be (?:lost|overwritten|destroyed|discarded|wiped)\b|\bdata loss\b/i),
  early('put', /\breplac(?:es?|ing) (?:(?:all|any|every|the) )?(?:existing|previous)\b/i),
  early('put', /\bthis (?:will )?(?:replace|overwrite)s? the (?:current|stored)\b/i),
  early(
    'delete',
    /\b(?:existing|previous|current) \w+(?: \w+)? (?:is|are|will be|gets?) (?:replaced|removed|deleted)\b/i,
  ),
  warning(/\bpermanently\b(?! (?:stor|sav|keep|record))/i),
  phrase(
    'spend',
    /\bgas fees?\b|\bon-?chain transaction|\breal (?:funds|orders?|trades?)\b|\blive (?:trading|orders?)\b/i,
  ),
  phrase(
    'spend',
    /\bsigns? and (?:send|broadcast|submit)|\bcharges? (?:the|your|a|an) \w+|\bpaid (?:plan|feature|api|service|job)/i,
  ),
  phrase('spend', /\b(?:debit|deduct)s? [^.]{0,30}\b(?:balance|account|wallet|credits?)\b/i),
  phrase(
    'delete',
    /\b(?:calls?|makes?|sends?|executes?|performs?|issues?|invokes?|runs?|proxy|proxies)\b[^.]{0,20}\b(?:any|raw|custom|generic) (?:\w+ ){0,3}(?:api|graphql|http|rest|requests?|endpoints?|mutations?|commands?)\b|^any (?:\w+ ){0,2}requests?\b|\barbitrary (?:\w+ ){0,3}(?:api|http|rest|requests?|mutations?|commands?|graphql)\b/i,
  ),
  phrase(
    'delete',
    /\b(?:all|full|direct) (?:\w+ ){0,4}api (?:operations|endpoints|methods|access|calls)\b/i,
  ),
  phrase(
    'delete',
    /\bautonomous(?:ly)? (?:\w+ )?(?:agents?|brows|execut|complet|perform|navigat|act)/i,
    true,
  ),
  phrase('delete', /\bdestroy(?:s|ing)? (?:\w+ ){0,2}(?:existing|data|all)\b/i),
  phrase('spend', /\bbilled (?:at|per|by|to|for)\b|\bpay[- ]per[- ](?:call|use|request)\b/i, true),
  phrase(
    'spend',
    /\b(?:costs?|consum(?:es?|ing)|charges?) (?:about |up to |~ ?|around )?(?:\$ ?)?\d[\d.,]* ?(?:api )?(?:credits?|usd|usdc|cents?|dollars?|eur|sats?|tokens? per)/i,
    true,
  ),
  phrase('spend', /\bcosts? (?:about |up to |~ ?)?[$€£] ?\d/i, true),
  early('share', /\bauto-?forward(?:s|ing)?\b/i),
  early(
    'share',
    /\b(?:pre-?authenticated|magic|one-?time|single sign-on|sso) (?:login |sign-?in )?(?:link|url)\b/i,
  ),
  phrase(
    'spend',
    /\b(?:with|enables?|linked to) billing\b|\bfor a fee\b|\b(?:extra|additional|monthly) (?:costs?|fees?|charges?)\b/i,
  ),
  phrase(
    'spend',
    /\b(?:charges?|fees?|costs?) (?:may |will )?appl(?:y|ies)\b|\bcosts? (?:real )?money\b|\bspends? (?:real )?money\b|\bon mainnet\b|\b(?:real|actual) (?:trade|payment|transaction)s?\b/i,
  ),
  phrase('spend', /\bincur(?:s|ring)? (?:\w+ )?(?:costs?|charges?|fees?|billing)\b/i),
  phrase('spend', /\b(?:will|may|can) be (?:charged|billed)\b|\breal money\b|\bbillable\b/i),
  phrase('spend', /\b(?:consum|deduct|us|spend)(?:es?|s|ing) (?:\w+ ){0,3}credits?\b/i),
  phrase('spend', /\bspends? (?:your |the )?(?:paid|prepaid|real) (?:\w+ )?credits?\b/i, true),
  phrase('spend', /\bcosts? (?:about |up to |~)?\$?\d[\d.]* ?(?:credits?|usd|cents?|dollars?)/i),
  early(
    'share',
    /\b(?:becomes?|be|it|them|is|are|made|now) publicly (?:accessible|available|visible)\b|\banyone with the link\b/i,
  ),
  early('share', /\b(?:create|generate|return)s? an? (?:public|shareable|sharing) (?:url|link)\b/i),
  early(
    'share',
    /\b(?:puts|goes|takes|brings|pushes|makes|sets) (?:\w+ ){0,4}live\b|^\W*(?:put|take|bring|make|set) (?:\w+ ){0,4}live\b|\bto production\b/i,
  ),
  early(
    'share',
    /(?:^|[.,(]\s*|\b(?:and|or|can|will|then|by) )shar(?:e|es|ing)\b(?! (?:and|of|price|in)\b)[^.]{0,40}\b(?:with|to)\b/i,
  ),
  early('share', /\bgrants? (?:\w+ ){0,3}(?:access|permissions?|rights?)\b/i),
  early(
    'share',
    /\b(?:makes?|making) (?:\w+ ){0,4}public(?:ly)?\b|\bvisible to (?:everyone|anyone|the public|all)\b/i,
  ),
  early(
    'share',
    /\b(?:visible|available|accessible|readable) (?:to|by|for) (?:everyone|anyone|the public|the world|other users|customers)\b|\bgo(?:es|ing)? live\b|\b(?:posted|published|shown|appears?) (?:publicly|on (?:your|the) (?:profile|timeline|feed|storefront|live site))\b/i,
  ),
  early(
    'deliver',
    /\bautomatically (?:sends?|e-?mails?|notif(?:y|ies)|publish(?:es)?|posts?|deploys?|charges?)\b/i,
  ),
  early('share', /\bexpos(?:es?|ing) (?:\w+ ){0,4}(?:to the internet|publicly|externally)\b/i),
  early(
    'deliver',
    /\b(?:e-?mails?|notifications?|invitations?|invites?|sms|messages?) (?:is|are|will be|gets?) (?:automatically |immediately )?(?:sent|delivered|dispatched)\b/i,
  ),
  early(
    'deliver',
    /\bnotif(?:y|ies|ying) (?:the|all|every|everyone|them|attendees|members|users|participants|subscribers|customers?|reviewers?|assignees?|followers)\b/i,
  ),
  early(
    'deliver',
    /\b(?:sends?|delivers?) (?:an? |the )?(?:\w+ )?(?:e-?mails?|sms|messages?|invit)/i,
  ),
];

/** Words that negate a phrase shortly after them. */
export const DENIALS: RegExp =
  /\b(?:not|never|no|without|doesn't|don't|won't|isn't|instead of|rather than)\W+(?:\w+\W+){0,3}$/i;

/** A description that instructs the model about its user, not about the tool. */
export const INSTRUCTIONS: readonly RegExp[] = [
  /<\/?(?:important|system|secret|hidden)>/i,
  /\bignore (?:all |any |the )?(?:previous|prior|earlier|other|above) (?:instructions?|rules|prompts?)/i,
  /\bdo(?: not|n't) (?:tell|mention|inform|notify|reveal|show)\b.{0,30}\buser\b/i,
  /\b(?:~\/\.ssh|id_rsa|\.env file|mcp\.json)\b/i,
];
