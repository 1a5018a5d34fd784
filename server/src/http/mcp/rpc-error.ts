const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;
const INTERNAL_ERROR = -32603;

/** As the platform answers what it refuses. */
interface Refusal {
  message: string;
  code: string;
}

/**
 * What is refused before the protocol is spoken, as its clients read it: an error that belongs to no message. The
 * status of the answer says the same to everybody else.
 */
export function rpcErrorOf(status: number, answer: string): string {
  const { message, ...data } = JSON.parse(answer) as Refusal;
  return JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: codeOf(status, data.code), message, data } });
}

function codeOf(status: number, code: string): number {
  if (code === 'VA002') return PARSE_ERROR;
  return status < 500 ? INVALID_REQUEST : INTERNAL_ERROR;
}
