import { declarationOf, type EndpointName } from '@lilac/contract/endpoints';

/** What answers speaks JSON, and is not the platform, or one of another version. */
export class UnexpectedAnswer extends Error {
  readonly endpoint: EndpointName;

  constructor(endpoint: EndpointName, options?: ErrorOptions) {
    super(`The answer to ${declarationOf(endpoint).path} is not what it should be.`, options);
    this.endpoint = endpoint;
  }
}

const REMEMBERED = 5;

/**
 * Remembers the last answers. They may have more in them than is known here, or less that matters: only where a command
 * could not do with one is it compared with the contract.
 */
export class AnswerWatch {
  #seen: { endpoint: EndpointName; answer: unknown }[] = [];

  readonly note = (endpoint: EndpointName, answer: unknown): void => {
    if (!isOfItsKind(endpoint, answer)) throw new UnexpectedAnswer(endpoint);
    this.#seen = [...this.#seen, { endpoint, answer }].slice(-REMEMBERED);
  };

  /** The failure as it is, unless an answer that breaks the contract explains it. */
  explain(error: unknown): unknown {
    if (!(error instanceof TypeError || error instanceof RangeError)) return error;
    const odd = this.#seen.find(({ endpoint, answer }) => !declarationOf(endpoint).output.safeParse(answer).success);
    return odd ? new UnexpectedAnswer(odd.endpoint, { cause: error }) : error;
  }
}

/** A list where one should be, and an object where one should be. */
function isOfItsKind(endpoint: EndpointName, answer: unknown): boolean {
  const { def } = declarationOf(endpoint).output as { def: { type: string; shape?: Record<string, object> } };
  if (def.type === 'array') return Array.isArray(answer);
  if (def.type !== 'object') return true;
  const isObject = typeof answer === 'object' && answer !== null && !Array.isArray(answer);
  const isPage = def.shape?.['items'] !== undefined && def.shape['totalPages'] !== undefined;
  return isObject && (!isPage || Array.isArray((answer as { items?: unknown }).items));
}
