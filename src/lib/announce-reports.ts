/**
 * Publishes every error report, and every `internal-error` sent to a caller, on a diagnostics channel,
 * so that a monitor in the process gets all of them in one place.
 */
import { channel } from 'node:diagnostics_channel';

type Report = (message: string, cause?: unknown) => void;

const reports = channel('plimsoll:report');
const internalErrors = channel('plimsoll:internal-error');

export function announceReports(report: Report): Report {
  return (message, cause) => {
    if (reports.hasSubscribers) reports.publish({ message, cause });
    report(message, cause);
  };
}

export function announceInternalError(detail: string): void {
  if (internalErrors.hasSubscribers) internalErrors.publish({ detail });
}
