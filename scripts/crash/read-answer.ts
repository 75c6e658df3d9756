/** Reads a line that a gate has written as the answer to one call. */

export interface ReadAnswer {
  /** `success`, or the code of the problem. */
  readonly code: string;
  readonly replayed: boolean;
  /** The key record that a problem names. */
  readonly reference?: string;
  readonly text: string;
}

interface Message {
  readonly id?: number;
  readonly result?: {
    readonly isError?: boolean;
    readonly content?: readonly { readonly text?: string }[];
    readonly _meta?: Readonly<Record<string, unknown>>;
  };
  readonly error?: { readonly message: string; readonly data?: Problem };
}

interface Problem {
  readonly code?: string;
  readonly reference?: string;
}

/** Without an id, it is no answer. */
export function readAnswer(line: string): ReadAnswer & { readonly id: number | undefined } {
  const { id, result, error } = JSON.parse(line) as Message;
  const problem = error?.data ?? (result?._meta?.['dev.plimsoll/problem'] as Problem | undefined);
  const isFailure = error !== undefined || result?.isError === true;
  const { code = 'no-code', reference } = problem ?? {};
  return {
    id,
    code: isFailure ? code : 'success',
    replayed: result?._meta?.['dev.plimsoll/replayed'] === true,
    ...(reference !== undefined && { reference }),
    text: error?.message ?? result?.content?.[0]?.text ?? '',
  };
}
