/** What can be wrong with a text that should be JSON, found while reading it from left to right. */
export type JsonFaultCode = 'malformed' | 'too-deep' | 'unsafe-number' | 'lone-surrogate';

export interface JsonFault {
  readonly code: JsonFaultCode;
  /** Index of the UTF-16 unit in the text where the fault begins. */
  readonly at: number;
}
