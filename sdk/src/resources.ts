import type { OutputOf } from '@lilac/contract/endpoint';
import type { EndpointName, Endpoints } from '@lilac/contract/endpoints';

/** What an endpoint answers. */
export type Output<Name extends EndpointName> = OutputOf<Endpoints[Name]>;

export type Application = Output<'applications.get'>;
export type Environment = Output<'environments.get'>;
export type Deployment = Output<'deployments.get'>;
export type Database = Output<'databases.get'>;
export type CompletedUpload = Output<'upload.complete'>;
