import { ownValue } from './own-value.ts';

/** As those who make them write them, where a capital letter is not enough. */
const names: Record<string, string> = {
  'actix-web': 'Actix Web',
  adonisjs: 'AdonisJS',
  aiohttp: 'aiohttp',
  aspnet: 'ASP.NET',
  blitzjs: 'Blitz',
  cakephp: 'CakePHP',
  codeigniter: 'CodeIgniter',
  'create-react-app': 'Create React App',
  'docker-compose': 'Docker Compose',
  dotnet: '.NET',
  'docusaurus-2': 'Docusaurus 2 and later',
  docusaurus: 'Docusaurus 1',
  eleventy: 'Eleventy (11ty)',
  fastapi: 'FastAPI',
  fasthtml: 'FastHTML',
  gitbook: 'GitBook',
  h3: 'H3',
  hapi: 'hapi',
  html: 'HTML',
  'ionic-angular': 'Ionic Angular',
  'ionic-react': 'Ionic React',
  'jupyter-book': 'Jupyter Book',
  loopback: 'LoopBack',
  mdbook: 'mdBook',
  mkdocs: 'MkDocs',
  nestjs: 'NestJS',
  nextjs: 'Next.js',
  nicegui: 'NiceGUI',
  node: 'Node.js',
  nuxtjs: 'Nuxt',
  other: 'Something else',
  php: 'PHP',
  rails: 'Ruby on Rails',
  'react-router': 'React Router',
  redwoodjs: 'RedwoodJS',
  'sanity-v2': 'Sanity 2',
  'sanity-v3': 'Sanity 3',
  'solidstart-1': 'SolidStart',
  'spring-boot': 'Spring Boot',
  static: 'Plain files',
  sveltekit: 'SvelteKit',
  'tanstack-start': 'TanStack Start',
  umijs: 'UmiJS',
  vitepress: 'VitePress',
  vue: 'Vue',
  vuepress: 'VuePress',
  wordpress: 'WordPress',
  xmcp: 'xmcp',
};

/** Most looked for; they stand first. */
const usual = [
  'nextjs',
  'vite',
  'astro',
  'sveltekit',
  'nuxtjs',
  'react-router',
  'angular',
  'static',
  'node',
  'express',
  'nestjs',
  'python',
  'fastapi',
  'django',
  'flask',
  'go',
  'rails',
  'laravel',
  'dockerfile',
];

export function nameFramework(slug: string): string {
  return ownValue(names, slug) ?? slug.charAt(0).toUpperCase() + slug.slice(1).replaceAll('-', ' ');
}

/** `node24` → `Node.js 24` */
export function nameRuntime(runtime: string): string {
  const [, language = runtime, version = ''] = /^([a-z]+)-?([\d.]*)$/.exec(runtime) ?? [];
  return [nameFramework(language), version].filter(Boolean).join(' ');
}

/** Those that most people look for first, then by their names. */
export function orderFrameworks(slugs: readonly string[]): string[] {
  const first = usual.filter((slug) => slugs.includes(slug));
  const rest = slugs.filter((slug) => !first.includes(slug));
  return [...first, ...rest.toSorted((a, b) => nameFramework(a).localeCompare(nameFramework(b)))];
}
