/** The rows that a ledger keeps, the same on every store. Times are milliseconds of the store's clock. */

export interface ClaimRow {
  /** Digest of tenant, principal, operation and key; the key itself is never kept. */
  id: string;
  tenant: string;
  principal: string;
  operation: string;
  /** The first characters of the key's digest, so that people can tell claims apart. */
  key_hint: string;
  /** Digest of the canonical arguments. */
  fingerprint: string;
  state: string;
  /** Grows by one whenever the claim changes hands. */
  fence: number;
  owner: string;
  lease_until: number;
  effect_class: string;
  /** Names one attempt at the effect; empty before the first. */
  attempt: string;
  /** What is handed to whoever dedups downstream. */
  downstream_key: string;
  /** When the effect was first attempted; zero before. */
  dispatched_at: number;
  /** The stored answer as JSON; empty while there is none. */
  outcome: string;
  /** What became known later, as a JSON list. */
  evidence: string;
  created_at: number;
  updated_at: number;
  /** When the stored answer may be dropped. */
  expires_at: number;
}

export interface ReceiptRow {
  /** Gapless, from zero. */
  seq: number;
  id: string;
  at: number;
  operation: string;
  tier: string;
  open_world: number;
  principal: string;
  tenant: string;
  outcome: string;
  claim: string;
  /** The whole receipt as canonical JSON: the leaf of the log. */
  body: string;
  /** Hex of the RFC 6962 leaf hash of `body`. */
  leaf: string;
  /** Salts the argument digest; dropped to forget the arguments. */
  salt: string;
  /** The arguments, as far as the policy keeps them; not part of the leaf. */
  args: string;
}

export interface CheckpointRow {
  size: number;
  at: number;
  /** A signed note. */
  note: string;
}

interface SecretRow {
  /** Public: names the secret without giving it away. */
  id: string;
  /** Keyed digest; the secret itself is never kept. */
  digest: string;
  prefix: string;
  /** What it opens, in the issuer's words. */
  subject: string;
  tenant: string;
  principal: string;
  created_at: number;
  expires_at: number;
  /** Zero until it happened. */
  used_at: number;
  revoked_at: number;
}

interface CounterRow {
  name: string;
  value: number;
}

export interface Tables {
  claims: ClaimRow;
  receipts: ReceiptRow;
  checkpoints: CheckpointRow;
  secrets: SecretRow;
  counters: CounterRow;
}

export type TableName = keyof Tables;
