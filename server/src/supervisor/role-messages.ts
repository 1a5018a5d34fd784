/** The processes that the supervisor starts; the store is PostgreSQL's own. */
export type RoleName = 'api' | 'worker' | 'edge';
export const roleNames: readonly RoleName[] = ['api', 'worker', 'edge'];

/** What travels over the channel between the supervisor and a role. When it closes, the role stops by itself. */
export type FromRole =
  | { type: 'ready' }
  /** Every few seconds: one that hangs keeps its locks and its port, and does nothing with them. */
  | { type: 'alive' }
  /** It cannot run until an operator changes something. */
  | { type: 'refused'; message: string }
  /** A worker is about to read what instances write; it waits for the answer. */
  | { type: 'take-outputs' }
  /** Null once somebody has an account. */
  | { type: 'setup-link'; url: string | null };

export type ToRole =
  /** Final: the whole platform stops. Otherwise another process takes this one's place. */
  | { type: 'stop'; isFinal: boolean }
  /** The whole platform stops, one after another: whoever was told to end by a signal too waits for `stop`. */
  | { type: 'await-turn' }
  | { type: 'issue-setup-link' }
  /** As long as it lives. */
  | { type: 'outputs-are-yours' };

export const SAYS_ALIVE_EVERY_MS = 5000;

/** The descriptor under which an edge finds the public port: the supervisor opened it. */
export const PUBLIC_PORT_FD = 4;
/** The same for https; absent where there is none. */
export const TLS_PORT_FD = 5;
