import type { EndpointName } from '@lilac/contract/endpoints';
import type { SessionStore } from './session-store.ts';

export interface LilacOptions {
  /** Where the platform is: `https://lilac.example.org`. Empty in a page that the platform served. */
  baseUrl: string;
  /** An API key or an access token; a function is asked before every call. Where it gives none, the session is used. */
  token?: string | (() => string | null | Promise<string | null>) | undefined;
  /** A signed-in person, kept signed in. */
  session?: SessionStore | undefined;
  fetch?: typeof fetch | undefined;
  /** Sent with every call, never with the bytes of an upload. */
  headers?: Record<string, string> | undefined;
  /** Told every answer before the caller is, for instance to check it against the contract; may throw. */
  onAnswer?: ((name: EndpointName, answer: unknown) => void) | undefined;
  /** For how long a call that can be repeated safely is tried again while the platform is away. 0: not at all. */
  retryForMs?: number | undefined;
}

/** Long enough for a platform that restarts; short enough for a person who waits. */
export const RETRY_FOR_MS = 10_000;
