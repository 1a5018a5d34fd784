/** No registry can have this name (RFC 2606), so that no image of ours is ever fetched from elsewhere, or built on. */
const HOST = 'lilac.invalid';

/** Whose image it is, and what the steps of one environment's builds have in common. */
export const imageLabels = { builtBy: 'lilac.built-by', builtFor: 'lilac.built-for', instance: 'lilac.image' } as const;

export const repositoryOf = (installation: string): string => `${HOST}/${installation}`;

/** Of images that others made, and ours are built on. */
export const baseRepositoryOf = (installation: string): string => `${repositoryOf(installation)}/base`;

export const imageName = (installation: string, artifactId: string): string =>
  `${repositoryOf(installation)}:${artifactId}`;

/** Null where it is no image of this platform's. */
export function artifactOf(installation: string, name: string): string | null {
  const start = `${repositoryOf(installation)}:`;
  return name.startsWith(start) ? name.slice(start.length) : null;
}
