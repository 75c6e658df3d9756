/** What an audit of the ledger can find. */

/** What an audit can find wrong with a log, as data. `docs/audit.md` lists the same codes. */

export type AuditFindingCode =
  | 'leaf-mismatch'
  | 'body-mismatch'
  | 'gap'
  | 'duplicate'
  | 'order'
  | 'truncated'
  | 'root-mismatch'
  | 'bad-signature'
  | 'checkpoint-inconsistent'
  | 'checkpoint-missing'
  | 'counter-mismatch'
  | 'index-mismatch'
  | 'count-mismatch'
  | 'answer-mismatch'
  | 'unreadable';

export const AUDIT_FINDINGS: Readonly<Record<AuditFindingCode, string>> = Object.freeze({
  'leaf-mismatch': 'The leaf hash of a receipt does not match its body.',
  'body-mismatch': 'A column does not match the body of its receipt.',
  gap: 'Receipts are missing between others.',
  duplicate: 'Two receipts have the same number.',
  order: 'A receipt is not where its number belongs.',
  truncated: 'There are fewer receipts than were signed.',
  'root-mismatch': 'The receipts are not those that were signed.',
  'bad-signature': 'A checkpoint was not signed with the key of this ledger.',
  'checkpoint-inconsistent': 'A checkpoint contradicts another one, its own row, or the log.',
  'checkpoint-missing':
    'A checkpoint stored elsewhere is missing from the ledger, or none is stored elsewhere.',
  'counter-mismatch': 'The counter of receipts does not continue the log.',
  'index-mismatch': 'The search index has an entry too many or too few.',
  'count-mismatch': 'The counts that charts are drawn from are not those of the log.',
  'answer-mismatch': 'What the ledger says that a person answered is not what was signed.',
  unreadable: 'The log contains something that cannot be read.',
});

export interface AuditFinding {
  readonly kind: 'finding';
  readonly code: AuditFindingCode;
  /** The receipt at which it shows; for a checkpoint, the first that it may be about. */
  readonly seq: number;
  readonly message: string;
}

export function toFinding(code: AuditFindingCode, seq: number, message: string): AuditFinding {
  return Object.freeze({ kind: 'finding', code, seq, message });
}
