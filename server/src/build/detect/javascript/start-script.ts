/** Programs that serve a project while it is written: a `start` script of these is not for production. */
const DEVELOPMENT_SERVERS = [
  'astro dev',
  'astro start',
  'astro preview',
  'brunch watch',
  'craco start',
  'docusaurus start',
  'docusaurus-start',
  'eleventy --serve',
  'ember serve',
  'ember server',
  'expo start',
  'gatsby develop',
  'gatsby serve',
  'gridsome develop',
  'gulp',
  'hexo server',
  'http-server',
  'ionic serve',
  'live-server',
  'ng serve',
  'ng s',
  'next dev',
  'nodemon',
  'nuxi dev',
  'nuxt dev',
  'parcel',
  'parcel serve',
  'polymer serve',
  'preact watch',
  'qwik dev',
  'quasar dev',
  'react-app-rewired start',
  'react-router dev',
  'react-scripts start',
  'remix dev',
  'remix vite:dev',
  'rollup',
  'rsbuild dev',
  'rsbuild preview',
  'rspack serve',
  'sanity dev',
  'sanity start',
  'sapper dev',
  'serve',
  'sirv',
  'snowpack dev',
  'stencil build',
  'storybook dev',
  'svelte-kit dev',
  'umi dev',
  'max dev',
  'vinxi dev',
  'vite',
  'vite dev',
  'vite preview',
  'vite serve',
  'vitepress dev',
  'vue-cli-service serve',
  'vuepress dev',
  'webpack serve',
  'webpack-dev-server',
  'wmr',
  'wrangler dev',
];
const PREFIX =
  /^(?:(?:npx|pnpx|bunx|cross-env-shell|cross-env|dotenv|env|exec)(?:\s+-[\w-]+)*|(?:pnpm|yarn|npm|bun)\s+(?:exec|dlx)(?:\s+--)?|[A-Z_][A-Z0-9_]*=(?:"[^"]*"|'[^']*'|\S*))\s+/;
const OTHER_SCRIPT = /^(?:npm|pnpm|yarn|bun)\s+(?:run(?:-script)?\s+)?([\w:-]+)\s*$/;

/** The last step of the script counts, and a script that only runs another is followed. */
export function isDevelopmentServer(script: string, scripts: Readonly<Record<string, string>>, depth = 0): boolean {
  const command = programOf(script);
  const other = command.match(OTHER_SCRIPT)?.[1];
  const next = other && scripts[other];
  if (next && depth < 3) return isDevelopmentServer(next, scripts, depth + 1);
  return DEVELOPMENT_SERVERS.some((server) => startsAs(command, server));
}

/** Runs JavaScript of its own, rather than a tool that serves files. */
export function isOwnServer(script: string): boolean {
  return /^(node|tsx|ts-node|ts-node-esm|bun|deno|babel-node|pm2(-runtime)?|forever)\b/.test(programOf(script));
}

function programOf(script: string): string {
  let command = script.split(/&&|;/).at(-1)?.trim() ?? '';
  while (PREFIX.test(command)) command = command.replace(PREFIX, '');
  return command.replace(/^@11ty\//, '').replaceAll(/\s+/g, ' ');
}

/** `vite` alone, or with options, is its development server; `vite build` is not. */
function startsAs(command: string, server: string): boolean {
  if (command === server) return true;
  if (!command.startsWith(`${server} `)) return false;
  const rest = command.slice(server.length + 1);
  return server.includes(' ') || !/^(build|start)\b/.test(rest);
}
