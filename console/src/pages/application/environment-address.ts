/** Where an environment of that name will most likely be; null while it has none. */
export function environmentAddress({ slug, url }: { slug: string; url: string }, name: string): string | null {
  const own = environmentSlug(name);
  if (own === '') return null;
  return url.replace(/^https?:\/\//, '').replace(slug, `${slug}-${own}`);
}

/** The name as an address has it. */
function environmentSlug(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 28)
    .replaceAll(/^-+|-+$/g, '');
}

/** What stands in the place of a branch where archives are deployed: nobody should have to think of one. */
export function environmentLabel(name: string): string {
  return environmentSlug(name) || 'upload';
}
