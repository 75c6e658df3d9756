/** The rows of a ledger, the same on every store. Times are milliseconds of the store's clock. */

export interface KeyRecordRow {
  /** A digest of tenant, principal, operation and key; of a call without a key, a new id. */
  id: string;
  tenant: string;
  principal: string;
  operation: string;
  /** A few characters of the key's digest, or of the id, so that people can distinguish key records. */
  key_hint: string;
  /** Digest of the canonical arguments. */
  fingerprint: string;
  /** At a gate: tells servers of one name apart. Empty where nobody knows, and in records of version 3 and before. */
  address: string;
  state: string;
  /** Incremented whenever the key record changes owner. */
  fence: number;
  owner: string;
  lease_until: number;
  effect_class: string;
  /** Identifies one attempt at the effect; empty before the first. */
  attempt: string;
  /** The key sent to a partner that deduplicates. */
  partner_key: string;
  /** When the effect was first attempted; zero before. */
  dispatched_at: number;
  /** The stored answer as JSON; empty while there is none. */
  outcome: string;
  /** What became known later, as a JSON list. */
  evidence: string;
  created_at: number;
  updated_at: number;
  /** When the stored answer may be deleted. */
  expires_at: number;
}

/** One receipt in the log: all that is written while a call is on its way. */
export interface LogRow {
  /** Gapless, from zero. */
  seq: number;
  id: string;
  /** The whole receipt as canonical JSON: the leaf of the log. */
  body: string;
  /** Salts the argument digest; deleted to erase the arguments. */
  salt: string;
  /** The arguments, as far as the policy stores them; not part of the leaf. */
  args: string;
}

/** What a receipt is searched by. Made from its body behind the calls; see `receipts/index-receipts.ts`. */
export interface IndexRow {
  seq: number;
  at: number;
  operation: string;
  tier: string;
  open_world: number;
  principal: string;
  tenant: string;
  outcome: string;
  key_record: string;
  /** Hex of the RFC 6962 leaf hash of the body. */
  leaf: string;
  /** Empty when the call was not made through a gate. */
  server: string;
  decision: string;
  /** The approval or the grant that it ran on; empty when there was none. */
  approval: string;
}

/** A view: the receipts that have been indexed. */
export interface ReceiptRow extends LogRow, IndexRow {
  seq: number;
}

/** A receipt without its arguments, which may be long and which nobody searches. */
export type FoundReceipt = Omit<ReceiptRow, 'salt' | 'args'>;

/** A receipt whose number is not known yet; its body is in two parts, between which the number goes. */
export interface UnnumberedReceipt extends Omit<LogRow, 'seq' | 'body'> {
  body: readonly [before: string, after: string];
}

export interface CheckpointRow {
  size: number;
  at: number;
  /** A signed note. */
  note: string;
}

interface SecretRow {
  /** Public: identifies the secret without revealing it. */
  id: string;
  /** Keyed digest; the secret itself is never stored. */
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

/** A question to a person about one exact call, and its outcome. */
export interface ApprovalRow {
  /** 128 random bits. */
  id: string;
  state: string;
  tenant: string;
  principal: string;
  /** The conversation it was asked in; a grant for a session ends with it. */
  session: string;
  server: string;
  tool: string;
  tier: string;
  mode: string;
  /** Digest of the tool's definition, of the exact argument bytes, and of what people were shown. */
  definition: string;
  arguments: string;
  display: string;
  policy: string;
  /** What people are shown, as JSON; cleared when it is no longer needed. */
  card: string;
  /** Who approved or declined, and how; empty before. */
  approver: string;
  channel: string;
  /** Declined: what the caller is told; may be empty. Withdrawn: the code of the reason. */
  reason: string;
  /** The one-time value that lets a call continue after its server's question; empty when none may. */
  continuation: string;
  key_record: string;
  created_at: number;
  expires_at: number;
  /** Zero until it happened. */
  decided_at: number;
  used_at: number;
  /** The client that sent the call lost its connection while the question was open. */
  caller_gone_at: number;
  /** The person closed the host's form without an answer. */
  form_dismissed_at: number;
  /** The gate that asks; empty where none has registered. */
  gate: string;
  /** Until when the call waits for the answer; zero when it was told to come back. */
  held_until: number;
}

/** An approval that covers more than one call. */
export interface GrantRow {
  id: string;
  tenant: string;
  principal: string;
  /** Empty when it holds outside the session too. */
  session: string;
  server: string;
  tool: string;
  definition: string;
  /** Empty when it holds for any arguments. */
  arguments: string;
  policy: string;
  mode: string;
  approver: string;
  channel: string;
  approval: string;
  created_at: number;
  expires_at: number;
  revoked_at: number;
  /** Empty for those that end with a session or with their minutes. */
  scope: string;
  /** Of a lasting one: the definition that it was given for, as JSON. */
  accepted: string;
  used_at: number;
}

/** How much of a budget is used in one span of time. */
export interface BudgetRow {
  /** Digest of budget, tenant, principal and the span's start. */
  id: string;
  budget: string;
  tenant: string;
  principal: string;
  starts_at: number;
  ends_at: number;
  used: number;
}

/** The master key that the ledger was begun with; one row. */
interface LedgerKeyRow {
  name: string;
  /** Not the key: a digest of its public half. */
  key_id: string;
  created_at: number;
}

/** A gate that runs, or ran; it is alive while it is seen. */
interface GateRow {
  id: string;
  /** The policy in force, as JSON. */
  policy: string;
  started_at: number;
  seen_at: number;
}

/** A server behind a gate, as that gate saw it last. For people to look at; nothing is decided by it. */
export interface GatedServerRow {
  /** Digest of name, address and lock: gates that run one after the other write the same row. */
  id: string;
  name: string;
  /** A command or a URL, without secrets. */
  address: string;
  gate: string;
  state: string;
  era: string;
  trusted: number;
  mode: string;
  /** As listed last, as JSON. */
  tools: string;
  /** The lock that its gate reads pins from, on the machine of the gate. */
  lock_file: string;
  seen_at: number;
}

/** A browser that is signed in to the console. */
export interface ConsoleSessionRow {
  /** Public: names the session and opens nothing. */
  id: string;
  /** Of the token in the cookie, which is never stored. */
  digest: string;
  /** The console where it counts. */
  place: string;
  who: string;
  browser: string;
  created_at: number;
  used_at: number;
  ends_at: number;
}

/** A link that signs one browser in, once. */
interface ConsoleLinkRow {
  digest: string;
  place: string;
  ends_at: number;
}

export interface Tables {
  key_records: KeyRecordRow;
  receipt_log: LogRow;
  receipt_index: IndexRow;
  receipts: ReceiptRow;
  checkpoints: CheckpointRow;
  secrets: SecretRow;
  counters: CounterRow;
  approvals: ApprovalRow;
  grants: GrantRow;
  budgets: BudgetRow;
  ledger_keys: LedgerKeyRow;
  gates: GateRow;
  gated_servers: GatedServerRow;
  console_sessions: ConsoleSessionRow;
  console_links: ConsoleLinkRow;
}

export type TableName = keyof Tables;
