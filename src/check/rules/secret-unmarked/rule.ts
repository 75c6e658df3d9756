/** Finds tools that return a one-time secret without saying so. */
import { META_KEYS } from '../../../effect/meta-keys.ts';
import { TIERS } from '../../../effect/tier.ts';
import { descriptionOf, wordSet } from '../../tool-texts.ts';
import { memberOf, parametersOf } from '../../tool-schema.ts';
import type { Rule } from '../../rule.ts';
import type { ToolSubject } from '../../subject.ts';
import { toSingular, toWords } from '../../../effect/infer/to-words.ts';

const MAKES = wordSet('create generate issue rotate regenerate reset mint new add roll renew');
const SECRET =
  /(?:^|_)(?:api_?key|access_?key|secret(?:_key)?|client_secret|(?:access|api|auth|bearer|personal_access|deploy|refresh|service|session|bot)_?token|credential|private_key|password|passphrase|signing_key|recovery_code|token)s?$/;
/** Tokens that are not secrets, and names of coins. */
const NO_SECRET =
  /(?:^|_)(?:page|next|previous|continuation|cursor|sync|count|max|input|output|total|usage|design|erc\d*|nft|swap)_?\w*tokens?|tokens?_(?:count|usage|limit|used)/;
const COINS = /^(?:symbol|ticker|decimals|total_supply|supply|initial_supply|chain|chain_id)$/;
const FIELD =
  /^(?:api_?key|secret|secret_(?:access_)?key|client_secret|(?:access|api|auth|bearer|personal_access|refresh|session)_?token|private_key|password|plaintext|signing_secret|recovery_codes)$/;
const RETURNS =
  /\breturns? (?:\w+ ){0,4}(?:api keys?|secret(?: key)?|access token|auth token|private key|plaintext (?:key|token)|one-time password|credentials)\b/i;
/** Words that tell the reader to store it. */
const SAYS_SO =
  /\b(?:shown|displayed|returned|revealed|visible|available) (?:only )?(?:once|one time|this time)\b|\bonly (?:be )?(?:shown|displayed|returned|revealed|visible)\b[^.]{0,30}\bonce\b|\bone-time\b|\bonly time\b|\b(?:not|never) (?:be )?(?:shown|displayed|returned|retriev\w+|recover\w+)[^.]{0,20}\bagain\b|\bcannot be retrieved\b|\b(?:store|save|keep) (?:it|them|the \w+) (?:securely|safe\w*|secret|now)\b|\b(?:is|are) (?:not|never) (?:included|returned)\b|\bencrypted\b/i;

export const rule: Rule = {
  id: 'secret-unmarked',
  category: 'security',
  severity: 'warning',
  summary: 'A tool returns a secret, and neither _meta nor the description says that it is one.',
  cost: 'The secret ends up in transcripts, logs and caches, and may be lost to the user who needs it.',
  profiles: { geopera: 'error', strict: 'error' },
  codes: {
    'secret-unmarked/made': 'its name says that it makes a secret',
    'secret-unmarked/returned': 'its output contains a secret',
  },
  checkTool(tool) {
    if (isMarked(tool) || SAYS_SO.test(descriptionOf(tool))) return [];
    const field = secretField(memberOf(tool.raw, 'outputSchema', 'properties'));
    if (field !== undefined) {
      const pointer = `${tool.pointer}/outputSchema/properties/${field}`;
      const message = `Its output has the field "${field}", and nothing says that it is a secret.`;
      return [{ code: 'secret-unmarked/returned', pointer, message }];
    }
    const { pointer } = tool;
    if (RETURNS.test(descriptionOf(tool))) {
      const message = 'Its description says that it returns a secret, and nothing marks it as one.';
      return [{ code: 'secret-unmarked/returned', pointer, message }];
    }
    if (!makesSecret(tool)) return [];
    const message = 'Its name says that it makes a secret, and nothing says that it is shown once.';
    return [{ code: 'secret-unmarked/made', pointer, message }];
  },
};

function isMarked({ raw, stamp }: ToolSubject): boolean {
  if (stamp.tier.state === 'claimed' && TIERS[stamp.tier.value].issuesSecrets) return true;
  const secrets = memberOf(raw, '_meta', META_KEYS.effect.key, 'secrets');
  return Array.isArray(secrets) && secrets.length > 0;
}

function secretField(properties: unknown): string | undefined {
  if (typeof properties !== 'object' || properties === null) return undefined;
  return Object.keys(properties).find((name) => FIELD.test(toWords(name).join('_')));
}

/** A secret that is set or stored is an input, not a result. */
function makesSecret(tool: ToolSubject): boolean {
  const [verb = '', ...rest] = wordsFromVerb(tool.name);
  if (!MAKES.has(verb)) return false;
  const thing = rest.map(toSingular).join('_');
  if (!SECRET.test(thing) || NO_SECRET.test(thing)) return false;
  const given = (key: string): boolean => FIELD.test(key) || key === 'value' || COINS.test(key);
  return !parametersOf(tool).some(({ key }) => given(key));
}

function wordsFromVerb(name: string): readonly string[] {
  const words = toWords(name);
  return words.slice(
    Math.max(
      0,
      words.findIndex((word) => MAKES.has(word)),
    ),
  );
}
