import type { Config } from '../../config.ts';

/** Where the production environment answers. Scheme and port are those people reach the platform at. */
export function applicationUrl(
  { publicUrl, appsDomain }: Pick<Config, 'publicUrl' | 'appsDomain'>,
  slug: string,
): string {
  const port = publicUrl.port === '' ? '' : `:${publicUrl.port}`;
  return `${publicUrl.protocol}//${slug}.${appsDomain}${port}`;
}
