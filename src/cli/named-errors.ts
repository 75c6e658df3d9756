/** Errors of other modules that say what is wrong in words for people, with their exit codes. By name, so that no command loads the modules of another. */

export const FAILED = 1;
export const USAGE = 2;

export const NAMED_ERRORS: Readonly<Record<string, number>> = {
  CheckpointFileError: USAGE,
  DeclarationError: USAGE,
  LedgerAddressError: USAGE,
  LedgerKeyError: FAILED,
  OpenAddressError: USAGE,
  OperationsError: USAGE,
  PolicyError: USAGE,
  StoreUnavailableError: FAILED,
};
