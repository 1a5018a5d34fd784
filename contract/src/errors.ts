/**
 * The catalogue of error codes: one line for each answer that is not a success.
 * A code is stable; its message may become clearer. Inner layers name a code and
 * never an HTTP status.
 */
export const errorCatalogue = {
  CA001: { status: 401, message: 'A credential is required: send an Authorization: Bearer header.' },
  CA002: { status: 401, message: 'The credential is invalid, expired or revoked.' },
  CA003: { status: 403, message: 'This API key is bound to another organisation.' },
  CA004: { status: 403, message: 'You are not a member of this organisation.' },
  CA005: { status: 403, message: 'Your role does not have the permission this needs.' },
  CA006: { status: 403, message: 'This endpoint needs a signed-in person; API keys are refused.' },
  CA007: { status: 400, message: 'The organisation id is required: send targetOrganisationId.' },
  CA008: { status: 402, message: "The organisation's plan does not include this." },
  CA009: { status: 429, message: 'Too many requests. Try again later.' },
  CA010: { status: 403, message: 'Requests from this origin are not allowed.' },
  CA011: { status: 403, message: 'This signed address is altered, expired, or for something else.' },
  CA012: { status: 401, message: 'The password is not right.' },
  VA001: { status: 400, message: 'The input is invalid.' },
  VA002: { status: 400, message: 'The body is not valid JSON.' },
  VA003: { status: 400, message: 'The repository cannot be reached.' },
  AR001: { status: 400, message: 'The archive cannot be used.' },
  NF001: { status: 404, message: 'Not found.' },
  NF002: { status: 404, message: 'There is no endpoint at this path.' },
  MT001: { status: 405, message: 'This path does not accept this method.' },
  MT002: { status: 415, message: 'Send the body as application/json.' },
  MT003: { status: 417, message: 'The Expect header may only be 100-continue.' },
  CF001: { status: 409, message: 'This conflicts with the current state.' },
  DB001: { status: 400, message: 'The database refused the statement.' },
  FF001: { status: 403, message: 'This feature is not enabled on this platform.' },
  LM001: { status: 413, message: 'The body is larger than 1 MiB.' },
  LM002: { status: 413, message: 'The file is larger than an upload may be.' },
  SV001: { status: 500, message: 'Something went wrong on our side.' },
  SV002: { status: 503, message: 'Temporarily unavailable. Try again shortly.' },
  SV003: {
    status: 502,
    message: 'The connection broke before the answer came. Look whether the change was made before you try again.',
  },
  SV004: { status: 502, message: 'The application ended the connection before it had answered.' },
  SV005: { status: 504, message: 'The application took too long to answer.' },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof errorCatalogue;
