import { Agent, type AgentOptions, type ClientRequestArgs } from 'node:http';
import type { Duplex } from 'node:stream';
import { callbackify } from 'node:util';
import { connectToPeer } from '../lib/peer-tls.ts';

export interface PeerAgentOptions extends AgentOptions {
  /** Null: it is not known yet. */
  secret: () => Buffer | null;
  /** What connections are for: the other end has several takers. */
  purpose: string;
}

const CONNECT_WITHIN_MS = 2000;

interface WantedPeer {
  host: string;
  port: number;
  secret: Buffer | null;
  purpose: string;
}

const connectCallingBack = callbackify(({ secret, ...peer }: WantedPeer) => {
  if (!secret) return Promise.reject(new Error('The secret of the platform is not known yet.'));
  return connectToPeer({ ...peer, secret, timeoutMs: CONNECT_WITHIN_MS });
});

/** Keeps connections to apis of other hosts. A request gets one only when the other end has proven itself. */
export class PeerAgent extends Agent {
  readonly #secret: () => Buffer | null;
  readonly #purpose: string;

  constructor({ secret, purpose, ...options }: PeerAgentOptions) {
    super(options);
    this.#secret = secret;
    this.#purpose = purpose;
  }

  override createConnection(
    { host, port }: ClientRequestArgs,
    callback?: (error: Error | null, stream: Duplex) => void,
  ): undefined {
    const peer = { host: String(host), port: Number(port), secret: this.#secret(), purpose: this.#purpose };
    connectCallingBack(peer, callback as (error: Error | null, stream?: Duplex) => void);
    return undefined;
  }

  /** One that is gone without a word: nobody waits for its answers. */
  endAll(peer: { host: string; port: number }): void {
    const name = this.getName(peer);
    for (const socket of [...(this.sockets[name] ?? []), ...(this.freeSockets[name] ?? [])]) socket.destroy();
  }
}
