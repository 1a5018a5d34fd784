/** Where an environment of that name will most likely be; null while it has none. */
export function environmentAddress({ slug, url }: { slug: string; url: string }, name: string): string | null {
  const own = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 28)
    .replaceAll(/^-+|-+$/g, '');
  if (own === '') return null;
  return url.replace(/^https?:\/\//, '').replace(slug, `${slug}-${own}`);
}
