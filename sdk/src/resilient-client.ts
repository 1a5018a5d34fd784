import { createClient, type CallInput, type Client, type ClientOptions } from '@lilac/contract/client';
import type { EndpointDeclaration } from '@lilac/contract/endpoint';
import { declarationOf } from '@lilac/contract/endpoints';
import { mergeHeaders } from '@lilac/contract/merge-headers';
import type { Credentials } from './credentials.ts';
import { hasCode } from './errors.ts';
import { isNothingSent, isTransient, Tries } from './tries.ts';

export interface ResilientOptions {
  client: Omit<ClientOptions, 'token'>;
  credentials: Credentials;
  retryForMs: number;
}

type AnyInput = Pick<CallInput<'logs.stream'>, 'signal' | 'headers'>;

/** The contract's client, with a credential that is renewed and calls that are repeated where that is safe. */
export function createResilientClient(options: ResilientOptions): Client {
  return {
    async call(name, ...input) {
      const declaration = declarationOf(name);
      const tries = new Tries(options.retryForMs, input[0]?.signal);
      for (;;) {
        try {
          return await withCredential(options, declaration, (client) => client.call(name, ...input));
        } catch (error) {
          if (!mayRepeat(declaration, error)) throw error;
          await tries.waitAfter(error);
        }
      }
    },
    stream: (name, ...[input]) =>
      follow(options, input as AnyInput, (client, headers) =>
        client.stream(name, ...([{ ...input, headers }] as never)),
      ),
  };
}

/** A call that may have arrived is sent again only where arriving twice is the same as arriving once. */
function mayRepeat({ method, mcp }: EndpointDeclaration, error: unknown): boolean {
  const isHarmless = method === 'GET' || mcp?.readOnly === true || (mcp?.idempotent === true && !mcp.destructive);
  return isNothingSent(error) || (isHarmless && isTransient(error));
}

async function withCredential<T>(
  { client, credentials }: ResilientOptions,
  { credential }: EndpointDeclaration,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  // A refused sign-in has the same code as a refused credential, and says nothing about the session.
  if (credential === 'none') return await work(createClient(client));
  const token = await credentials.current();
  if (token === null) return await work(createClient(client));
  try {
    return await work(createClient({ ...client, token }));
  } catch (error) {
    const renewed = hasCode(error, 'CA002') ? await credentials.renewed(token) : null;
    if (renewed === null) throw error;
    return await work(createClient({ ...client, token: renewed }));
  }
}

/** The client comes back by itself once the stream has been open; here is what it gives up at. */
async function* follow<Event extends { id: string }>(
  { client, credentials, retryForMs }: ResilientOptions,
  { headers, signal }: AnyInput = {},
  open: (client: Client, headers: Record<string, string>) => AsyncIterable<Event>,
): AsyncGenerator<Event, void, undefined> {
  let token: string | null = null;
  let isRenewed = false;
  let resuming: Record<string, string> = {};
  let tries = new Tries(retryForMs, signal);
  const ask = async () => (token = await credentials.current());
  for (;;) {
    if (signal?.aborted) return;
    try {
      for await (const event of open(createClient({ ...client, token: ask }), mergeHeaders(headers, resuming))) {
        resuming = { 'last-event-id': event.id };
        isRenewed = false;
        yield event;
        tries = new Tries(retryForMs, signal);
      }
      return;
    } catch (error) {
      if (signal?.aborted) return;
      if (hasCode(error, 'CA002') && token !== null && !isRenewed) {
        if ((await credentials.renewed(token)) === null) throw error;
        isRenewed = true;
      } else if (isTransient(error)) {
        await tries.waitAfter(error).catch(unlessAborted(signal));
      } else throw error;
    }
  }
}

/** A stream that is aborted ends; it does not fail. */
function unlessAborted(signal: AbortSignal | undefined): (error: unknown) => void {
  return (error) => {
    if (!signal?.aborted) throw error;
  };
}
