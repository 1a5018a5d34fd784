import type { z } from 'zod';
import type { ErrorCode } from './errors.ts';
import type { Permission, Role } from './permissions.ts';
import type { RequestHeader } from './request-headers.ts';
import type { ResponseHeader } from './response-headers.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/**
 * Which credential an endpoint takes.
 * - `none`: nobody is asked; what the body carries is its own proof (health, sign-in).
 * - `session`: a signed-in person only.
 * - `any`: a signed-in person or an API key.
 */
export type CredentialKind = 'none' | 'session' | 'any';

/** Where the caller names the organisation; null where the answer belongs to no organisation. */
export type OrganisationSource =
  | 'body.targetOrganisationId'
  | 'params.targetOrganisationId'
  | 'params.organisationId'
  | 'params.orgId'
  | 'query.organisationId'
  | 'query.targetOrganisationId'
  | null;

/** A row that an endpoint addresses by id. Admission loads it, so no handler looks one up by itself. */
export type ResourceKind = 'application' | 'database' | 'deployment' | 'environment' | 'project' | 'upload';

export interface ResourceSource {
  kind: ResourceKind;
  /** The field that holds the id. */
  field: string;
  /** Where the field is; left out, in the body. */
  in?: 'params';
  /** What may be named in its place. One of the two is required. */
  or?: { kind: ResourceKind; field: string };
}

export interface McpHints {
  readOnly: boolean;
  destructive: boolean;
  idempotent: boolean;
}

export interface EndpointDeclaration {
  method: Method;
  path: `/api/${string}`;
  /** One line, in the imperative: the reference, the command line and the tools show it. */
  summary: string;
  /** What a caller should know besides, in a few sentences. */
  description?: string;
  credential: CredentialKind;
  /** Null where every holder of the credential may call. */
  permission: Permission | null;
  /** A minimum above what the permission grants: owners' business. */
  minimumRole?: Role;
  /**
   * For what hands out or takes away credentials and rights: a session that has ended is refused,
   * though its access token lives on for some minutes. Says nothing about API keys.
   */
  needsLiveSession?: true;
  organisation: OrganisationSource;
  /** A person who names none means the only organisation they belong to; with several, `CA007` says to name one. */
  infersOrganisation?: true;
  resource?: ResourceSource;
  /** Answers `FF001` while this flag is off. */
  feature?: FeatureFlag;
  /** Answers `CA008` on a plan without it. */
  planFeature?: 'apiKeys';
  body?: z.ZodType;
  query?: z.ZodType;
  params?: z.ZodType;
  /** What it heeds besides `Authorization`. */
  headers?: readonly RequestHeader[];
  /** OAuth clients send forms; everybody else sends JSON. */
  acceptsForm?: boolean;
  status: 200 | 201;
  output: z.ZodType;
  /** What success may carry besides the headers of every answer. */
  responseHeaders?: readonly ResponseHeader[];
  /** It answers with server-sent events: each field of `output` is the name of an event, with its data. */
  stream?: true;
  /** What it may answer besides what follows from the rest of the declaration (see possible-errors.ts). */
  errors?: readonly ErrorCode[];
  /** The words after `lilac`; null where a plain call makes no sense in a terminal. */
  cli: readonly string[] | null;
  mcp: McpHints | null;
}

export const featureFlags = ['data_explorer', 'database_dump', 'provider2', 'provider3'] as const;
export type FeatureFlag = (typeof featureFlags)[number];

/** Keeps the literal types of one declaration. */
export function endpoint<const D extends EndpointDeclaration>(declaration: D): D {
  return declaration;
}

type SchemaOutput<S> = S extends z.ZodType ? z.output<S> : undefined;
type SchemaInput<S> = S extends z.ZodType ? z.input<S> : undefined;

/** What a handler reads: defaults filled in. */
export type BodyOf<D extends EndpointDeclaration> = SchemaOutput<D['body']>;
export type QueryOf<D extends EndpointDeclaration> = SchemaOutput<D['query']>;
export type ParamsOf<D extends EndpointDeclaration> = SchemaOutput<D['params']>;
export type OutputOf<D extends EndpointDeclaration> = z.output<D['output']>;

/** What a client sends: fields with a default may be left out. */
export type BodyInputOf<D extends EndpointDeclaration> = SchemaInput<D['body']>;
export type QueryInputOf<D extends EndpointDeclaration> = SchemaInput<D['query']>;
export type ParamsInputOf<D extends EndpointDeclaration> = SchemaInput<D['params']>;

export const readOnly: McpHints = { readOnly: true, destructive: false, idempotent: true };
export const writes: McpHints = { readOnly: false, destructive: false, idempotent: false };
export const writesIdempotently: McpHints = { readOnly: false, destructive: false, idempotent: true };
export const destroys: McpHints = { readOnly: false, destructive: true, idempotent: true };
