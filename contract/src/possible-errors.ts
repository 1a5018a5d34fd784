import type { EndpointDeclaration } from './endpoint.ts';
import type { ErrorCode } from './errors.ts';

/** Every code an endpoint can answer with: what its declaration implies, and what its handler adds. */
export function possibleErrors(declaration: EndpointDeclaration): ErrorCode[] {
  const { method, body, query, params, resource, feature, errors = [] } = declaration;
  // Also where none is wanted: what was sent is read, and may turn out to be no JSON.
  const mayHaveBody = body !== undefined || method !== 'GET';
  const codes: ErrorCode[] = [
    ...credentialErrors(declaration),
    ...organisationErrors(declaration),
    ...(feature ? (['FF001'] as const) : []),
    ...(mayHaveBody || query || params ? (['VA001'] as const) : []),
    ...(mayHaveBody ? (['VA002', 'MT002', 'LM001'] as const) : []),
    ...(resource ? (['NF001'] as const) : []),
    ...errors,
    'CA009',
    'CA010',
    'SV001',
    'SV002',
  ];
  return [...new Set(codes)].toSorted();
}

function credentialErrors({ credential }: EndpointDeclaration): ErrorCode[] {
  if (credential === 'none') return [];
  // A key of an organisation on the free plan is refused everywhere, before anything else is looked at.
  return credential === 'session' ? ['CA001', 'CA002', 'CA006', 'CA008'] : ['CA001', 'CA002', 'CA008'];
}

function organisationErrors({ credential, organisation, permission, minimumRole }: EndpointDeclaration): ErrorCode[] {
  if (organisation === null) return [];
  const codes: ErrorCode[] = ['CA004', 'CA007'];
  if (credential === 'any') codes.push('CA003');
  if (permission !== null || minimumRole !== undefined) codes.push('CA005');
  return codes;
}
