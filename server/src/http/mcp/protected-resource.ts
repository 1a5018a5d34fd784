import type { Config } from '../../config.ts';

export const METADATA_PATH = '/.well-known/oauth-protected-resource';

/** RFC 9728: where a client that was refused learns what is asked of it. */
export function protectedResource({ publicUrl: { origin } }: Pick<Config, 'publicUrl'>): Record<string, unknown> {
  return {
    resource: `${origin}/mcp`,
    resource_name: 'Lilac',
    authorization_servers: [origin],
    bearer_methods_supported: ['header'],
    resource_documentation: `${origin}/docs`,
  };
}

/** RFC 6750, 3: nothing is said of an error to who has sent no credential at all. */
export function challenge({ publicUrl: { origin } }: Pick<Config, 'publicUrl'>, hasCredential: boolean): string {
  const error = hasCredential ? ', error="invalid_token"' : '';
  return `Bearer realm="lilac"${error}, resource_metadata="${origin}${METADATA_PATH}/mcp"`;
}
