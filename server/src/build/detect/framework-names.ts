/** Names that people write for a framework, and the slug that is meant. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  next: 'nextjs',
  'next.js': 'nextjs',
  nuxt: 'nuxtjs',
  'nuxt.js': 'nuxtjs',
  cra: 'create-react-app',
  '11ty': 'eleventy',
  docusaurus2: 'docusaurus-2',
  'docusaurus-3': 'docusaurus-2',
  'svelte-kit': 'sveltekit',
  'sveltekit-1': 'sveltekit',
  nest: 'nestjs',
  solidstart: 'solidstart-1',
  'solid-start': 'solidstart-1',
  spring: 'spring-boot',
  docker: 'dockerfile',
};

/** They name a library, not what builds a project with it: what is detected says more. */
const LIBRARIES = new Set(['react', 'vue', 'svelte', 'solid', 'preact', 'lit', 'other', 'unknown', 'auto', 'none']);

/** The slug of the framework that a person chose; null where that tells nothing. */
export function toSlug(chosen: string | null): string | null {
  const name = chosen?.trim().toLowerCase();
  if (!name || LIBRARIES.has(name)) return null;
  return OTHER_NAMES[name] ?? name;
}
