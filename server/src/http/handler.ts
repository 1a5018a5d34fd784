import type { BodyOf, EndpointDeclaration, OutputOf, ParamsOf, QueryOf, ResourceKind } from '@lilac/contract/endpoint';
import type { EndpointName, Endpoints } from '@lilac/contract/endpoints';
import type { KeyRole, Role } from '@lilac/contract/permissions';
import type { Plan } from '@lilac/contract/plans';
import type {
  ApplicationRow,
  DatabaseRow,
  DeploymentRow,
  EnvironmentRow,
  ProjectRow,
  UploadRow,
} from '../db/schema.ts';

export interface SessionCaller {
  kind: 'session';
  userId: string;
  sessionId: string;
}

export interface KeyCaller {
  kind: 'key';
  keyId: string;
}

export type Caller = SessionCaller | KeyCaller;

/** The organisation a request is about, and what the caller is in it. Read from the store on every request. */
export interface OrganisationAccess {
  id: string;
  plan: Plan;
  role: Role | KeyRole;
}

/** The row an endpoint addresses, already known to belong to the caller's organisation. */
export interface ResourceRows {
  application: ApplicationRow;
  database: DatabaseRow;
  deployment: DeploymentRow;
  environment: EnvironmentRow;
  project: ProjectRow;
  upload: UploadRow;
}

/** What a browser holds as refresh tokens, in httpOnly cookies. */
export interface RefreshCookies {
  tokens: readonly string[];
  /** A page of another host can have set one of them. */
  canBePlanted: boolean;
  /** X-Session-Id: the session that the page itself remembers. */
  sessionId: string | null;
}

/** Where the request came from. */
export interface Client {
  /** The address of the other end; never one that a header made up. */
  address: string;
  /** It came by https, to the edge or to a proxy that is believed. */
  isSecure: boolean;
  userAgent: string | null;
  /** `cli` when the request carries X-Client-Type: cli: tokens then travel in the body. */
  type: 'cli' | 'browser';
  requestId: string;
  /** On the endpoints that read them; none elsewhere. */
  refreshCookies: RefreshCookies;
  /** Likewise: what its browser keeps of the journey to the first repository host that has this state. */
  journeyCookies: (state: string) => readonly string[];
  idempotencyKey: string | null;
}

/** The few things a handler may do to the response besides returning its body. */
export interface Response {
  setRefreshCookie(token: string): void;
  clearRefreshCookie(): void;
  /** For a browser that goes to the first repository host to set it up, and comes back. */
  setJourneyCookie(state: string, kept: string): void;
  clearJourneyCookie(state: string): void;
  /** A whole Set-Cookie header. */
  setCookie(cookie: string): void;
  /** Where the caller goes on; for what declares `nextCursor`. */
  setNextCursor(cursor: string): void;
  /** When what is answered was read, where it is old; for what declares `asOf`. */
  setAsOf(readAt: Date): void;
  /** Whose part of it is missing; for what declares `partial`. */
  setPartial(missing: readonly string[]): void;
  /**
   * Aborted when nobody waits for it any more, for handlers that take long. What they then throw of it is
   * nobody's failure.
   */
  readonly signal: AbortSignal;
}

type CallerOf<D extends EndpointDeclaration> = D['credential'] extends 'none'
  ? null
  : D['credential'] extends 'session'
    ? SessionCaller
    : Caller;

type ResourceOf<D> = D extends { resource: { kind: infer K extends ResourceKind } }
  ?
      | ResourceRows[K]
      | (D extends { resource: { or: { kind: infer Or extends ResourceKind } } } ? ResourceRows[Or] : never)
  : null;

export interface Context<D extends EndpointDeclaration> {
  body: BodyOf<D>;
  query: QueryOf<D>;
  params: ParamsOf<D>;
  caller: CallerOf<D>;
  organisation: D['organisation'] extends null ? null : OrganisationAccess;
  resource: ResourceOf<D>;
  client: Client;
  response: Response;
}

export interface StreamContext<D extends EndpointDeclaration> extends Context<D> {
  /** The id of the last event that the client got; null when it comes for the first time. Anybody may send anything. */
  lastEventId: string | null;
  /** Aborted when nobody reads any more: the client is gone, may no longer read, or the api stops. */
  signal: AbortSignal;
}

/** One of the events that the declaration's output names, or how far the stream is without one. */
export type StreamItemOf<D extends EndpointDeclaration> =
  | { [Name in keyof OutputOf<D> & string]: { id: string; event: Name; data: OutputOf<D>[Name] } }[keyof OutputOf<D> &
      string]
  | { id: string; event?: undefined };

/**
 * What is there at the same moment comes as one batch. The first batch comes at once, and what is thrown
 * before it is answered like any other failure. `data` is written out once, whoever gets it: it is not changed later.
 */
export type StreamHandler<D extends EndpointDeclaration> = (
  context: StreamContext<D>,
) => AsyncIterable<readonly StreamItemOf<D>[]>;

export type Handler<D extends EndpointDeclaration> = D extends { stream: true }
  ? StreamHandler<D>
  : (context: Context<D>) => Promise<OutputOf<D>> | OutputOf<D>;

/** One for every endpoint of the contract: leave one out and it does not compile. */
export type Handlers = { [Name in EndpointName]: Handler<Endpoints[Name]> };

/** What one module contributes. */
export type HandlersFor<Prefix extends string> = Pick<Handlers, Extract<EndpointName, `${Prefix}.${string}`>>;
