import type { BodyInputOf, OutputOf as OutputOfDeclaration } from '@lilac/contract/endpoint';
import type { EndpointName, Endpoints } from '@lilac/contract/endpoints';

/** What a page gets back. */
export type OutputOf<Name extends EndpointName> = OutputOfDeclaration<Endpoints[Name]>;

/** What a page sends. */
export type InputOf<Name extends EndpointName> = BodyInputOf<Endpoints[Name]>;

export type Profile = OutputOf<'auth.profile'>;
export type OrganisationChoice = Profile['organisations'][number];
