import { describe, expect, it } from 'vitest';
import { planFor } from './testing/plan-for.ts';

type Files = Record<string, unknown>;

const vite = { dev: 'vite', build: 'vite build', preview: 'vite preview' };
const next = { next: '15.0.0' };
const angular = { '@angular/core': '20.0.0', '@angular/cli': '20.0.0', '@angular/build': '20.0.0' };

/** What people bring, as small as it can be: its name, its files, and what it is. */
const kinds: readonly [string, Files, string][] = [
  ['Vite with Svelte', { ...npm({ vite: '7.0.0', svelte: '5.0.0' }, vite), 'index.html': '' }, 'vite static dist'],
  ['Vite with Solid', { ...npm({ vite: '7.0.0', 'solid-js': '1.0.0' }, vite), 'index.html': '' }, 'vite static dist'],
  ['Vite with Lit', { ...npm({ vite: '7.0.0', lit: '3.0.0' }, vite), 'index.html': '' }, 'vite static dist'],
  [
    'Vite in Deno',
    { 'deno.json': { imports: { vite: 'npm:vite' }, tasks: vite }, 'index.html': '' },
    'vite static dist',
  ],
  [
    'Next exported by TypeScript',
    { ...npm(next), 'next.config.ts': `const c: NextConfig = { output: 'export' };` },
    'nextjs static out',
  ],
  [
    'Next exported by a function',
    { ...npm(next), 'next.config.mjs': `export default async () => ({ output: "export" })` },
    'nextjs static out',
  ],
  [
    'Next standing alone',
    { ...npm(next), 'next.config.mjs': `export default { output: 'standalone' }` },
    'nextjs container',
  ],
  [
    'Nuxt in the browser',
    { ...npm({ nuxt: '4.0.0' }), 'nuxt.config.ts': 'defineNuxtConfig({ ssr: false })' },
    'nuxtjs static .output/public',
  ],
  [
    'Nuxt in the browser with routes of its own',
    { ...npm({ nuxt: '4.0.0' }), 'nuxt.config.ts': 'defineNuxtConfig({ ssr: false })', 'server/api/a.ts': '' },
    'nuxtjs container',
  ],
  [
    'Nuxt with one page in the browser',
    { ...npm({ nuxt: '4.0.0' }), 'nuxt.config.ts': `defineNuxtConfig({ routeRules: { '/a': { ssr: false } } })` },
    'nuxtjs container',
  ],
  ['Astro with content', { ...npm({ astro: '5.0.0' }), 'src/content.config.ts': '' }, 'astro static dist'],
  [
    'Remix in the browser',
    { ...npm({ '@remix-run/dev': '2.0.0' }), 'vite.config.ts': 'remix({ ssr: false })' },
    'remix static build/client',
  ],
  ['Angular', { ...npm(angular), 'angular.json': angularJson({}) }, 'angular static dist/web/browser'],
  [
    'Angular on a server',
    { ...npm(angular), 'angular.json': angularJson({ outputMode: 'server', ssr: { entry: 'a' } }) },
    'angular container',
  ],
  [
    'Angular prerendered',
    { ...npm(angular), 'angular.json': angularJson({ outputMode: 'static', ssr: { entry: 'a' } }) },
    'angular static dist/web/browser',
  ],
  [
    'Qwik to files',
    { ...npm({ '@builder.io/qwik-city': '1.0.0' }), 'adapters/static/vite.config.ts': '' },
    'qwik static dist',
  ],
  [
    'Storybook alone',
    npm({ storybook: '9.0.0', vite: '7.0.0' }, { 'build-storybook': 'storybook build' }),
    'storybook static storybook-static',
  ],
  [
    'Storybook of a library',
    npm({ storybook: '9.0.0' }, { build: 'tsup', 'build-storybook': 'storybook build -o out' }),
    'storybook static out',
  ],
  [
    'Storybook beside an application',
    { ...npm({ storybook: '9.0.0', vite: '7.0.0' }, { ...vite, 'build-storybook': 'storybook build' }) },
    'vite static dist',
  ],
  [
    'Docusaurus among workspaces',
    {
      'package.json': { workspaces: ['website'] },
      'website/package.json': { scripts: { build: 'docusaurus build' }, dependencies: { '@docusaurus/core': '3.0.0' } },
    },
    'docusaurus-2 static build',
  ],
  [
    'VitePress in docs',
    { ...npm({ vitepress: '1.0.0' }, { 'docs:build': 'vitepress build docs' }), 'docs/.vitepress/config.mts': '' },
    'vitepress static docs/.vitepress/dist',
  ],
  ['Rspack', npm({ '@rspack/cli': '1.0.0' }, { build: 'rspack build' }), 'rspack static dist'],
  [
    'Webpack with a page',
    npm({ webpack: '5.0.0', 'html-webpack-plugin': '5.0.0' }, { build: 'webpack' }),
    'webpack static dist',
  ],
  [
    'esbuild beside a page',
    {
      ...npm({ esbuild: '0.25.0' }, { build: 'esbuild src/index.js --outfile=public/a.js' }),
      'src/index.js': '',
      'public/index.html': '',
    },
    'null static public',
  ],
  [
    'Docsify',
    { ...npm({ 'docsify-cli': '4.0.0' }, { serve: 'docsify serve docs' }), 'docs/index.html': '' },
    'null static docs',
  ],
  [
    'a server with public pages',
    { ...npm({ ws: '8.0.0' }, {}), 'server.js': '', 'public/index.html': '' },
    'null container',
  ],
  ['Slidev', npm({ '@slidev/cli': '52.0.0' }, { build: 'slidev build' }), 'slidev static dist'],
  ['Jekyll without a Gemfile', { '_config.yml': 'title: x', 'index.html': '---\n---' }, 'jekyll static _site'],
  ['Hugo set up in folders', { 'config/_default/hugo.toml': '', 'layouts/index.html': '' }, 'hugo static public'],
  ['Hugo with modules', { 'hugo.toml': '', 'go.mod': 'module x', 'content/a.md': '' }, 'hugo static public'],
  [
    'Hugo with a package.json of its theme',
    { 'hugo.toml': '', ...npm({ postcss: '8.0.0' }, {}) },
    'hugo static public',
  ],
  ['Quarto', { '_quarto.yml': 'project:\n  type: book\n', 'index.qmd': '' }, 'quarto static _book'],
  ['Waku', npm({ waku: '0.25.0' }), 'waku container'],
  ['Medusa', npm({ '@medusajs/medusa': '2.0.0' }), 'medusa container'],
  ['WordPress as downloaded', { 'index.php': '', 'wp-content/index.php': '' }, 'wordpress container'],
  [
    'Drupal',
    { 'composer.json': { require: { 'drupal/core-recommended': '^11' } }, 'web/index.php': '' },
    'drupal container',
  ],
  [
    'Rails with assets and a Dockerfile',
    { Gemfile: 'gem "rails"', Dockerfile: 'FROM ruby', ...npm({}, vite) },
    'rails container',
  ],
  [
    'Spring Boot in a sub-project',
    { 'settings.gradle.kts': 'include("server")', 'server/build.gradle.kts': 'alias(libs.plugins.spring.boot)' },
    'spring-boot container',
  ],
  ['Quarkus by Gradle', { 'build.gradle': `plugins { id 'io.quarkus' }` }, 'quarkus container'],
  [
    'ASP.NET below a solution',
    { 'A.sln': solution('Core', 'Web'), 'src/Core/Core.csproj': sdk(''), 'src/Web/Web.csproj': sdk('.Web') },
    'aspnet container',
  ],
  [
    'Blazor below a solution',
    { 'A.sln': solution('App'), 'src/App/App.csproj': sdk('.BlazorWebAssembly') },
    'blazor static out/wwwroot',
  ],
  [
    'Axum in a workspace',
    {
      'Cargo.toml': '[workspace]\nmembers = ["api"]',
      'api/Cargo.toml': '[package]\nname = "api"\n[dependencies]\naxum = "0.8"',
      'api/src/main.rs': '',
    },
    'axum container',
  ],
  [
    'Fresh',
    { 'deno.json': { imports: { fresh: 'jsr:@fresh/core' }, tasks: { build: 'vite build' } }, 'main.ts': '' },
    'fresh container',
  ],
  ['Bun', { ...npm({ '@types/bun': '1.0.0' }, {}), 'bun.lock': '', 'index.ts': '' }, 'null container'],
];

describe('a project of the kind', () => {
  it.each(kinds)('%s is recognised', async (_, files, expected) => {
    const { framework, deploymentType, outputDirectory } = await planFor(files);
    expect([framework ?? 'null', deploymentType, outputDirectory].filter(Boolean).join(' ')).toBe(expected);
  });

  it('ASP.NET below a solution is published and started by its own name', async () => {
    const files = { 'A.sln': solution('Web', 'Web.Tests'), 'src/Web/Web.csproj': sdk('.Web') };
    expect(await planFor(files)).toMatchObject({
      buildCommand: 'dotnet publish src/Web/Web.csproj --no-restore -c Release -o out',
      startCommand: 'ASPNETCORE_URLS=http://0.0.0.0:$PORT ./out/Web',
    });
  });

  it('Hugo with assets of npm is built after them', async () => {
    const files = { 'hugo.toml': '', ...npm({ tailwindcss: '4.0.0' }, { build: 'tailwindcss -o static/a.css' }) };
    expect(await planFor(files)).toMatchObject({
      installCommand: 'npm install',
      buildCommand: 'npm run build && hugo --gc --minify',
    });
  });

  it('nothing but a README is refused', async () => {
    await expect(planFor({ 'README.md': '# Hi' })).rejects.toThrow('Nothing in the root');
  });
});

function npm(dependencies: Record<string, string>, scripts: Record<string, string> = { build: 'x' }): Files {
  return { 'package.json': { scripts, dependencies } };
}

function angularJson(options: Files): Files {
  const build = { builder: '@angular/build:application', options: { browser: 'src/main.ts', ...options } };
  return { projects: { web: { projectType: 'application', architect: { build } } } };
}

function solution(...names: string[]): string {
  return names.map((name) => `Project("{9A19103F}") = "${name}", "src\\${name}\\${name}.csproj", "{1}"`).join('\n');
}

function sdk(kind: string): string {
  return `<Project Sdk="Microsoft.NET.Sdk${kind}"></Project>`;
}
