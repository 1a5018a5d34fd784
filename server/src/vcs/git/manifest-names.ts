import type { TreeFile } from './list-files.ts';

/** Files that tell how a project is built: those a look at it is most likely to ask for. */
const NAMES = new RegExp(
  `^(${[
    String.raw`package\.(json|yaml|json5)|.*\.config\.([cm]?[jt]s|json)|(pnpm-workspace|pnpm-lock)\.yaml|yarn\.lock|bun\.lock`,
    String.raw`\.yarnrc\.yml|bunfig\.toml|(turbo|nx|lerna|rush|angular|project|vercel|netlify|now|deno|tsconfig)\.jsonc?`,
    String.raw`netlify\.toml|\.(nvmrc|node-version|tool-versions|python-version|ruby-version|java-version|npmrc|elixir-version)`,
    String.raw`requirements.*\.txt|pyproject\.toml|Pipfile|setup\.(py|cfg)|environment\.ya?ml|runtime\.txt|mkdocs\.yml|conf\.py`,
    String.raw`(app|main|wsgi|asgi|manage|server|index|streamlit_app)\.(py|[cm]?[jt]sx?|php|html|go|rb)`,
    String.raw`go\.(mod|work)|Gemfile(\.lock)?|config\.ru|_config\.ya?ml|composer\.json|artisan|pom\.xml|(build|settings)\.gradle(\.kts)?`,
    String.raw`Cargo\.toml|rust-toolchain(\.toml)?|.*\.(csproj|fsproj|vbproj|sln|slnx|cabal)|global\.json|mix\.exs|gleam\.toml`,
    String.raw`Procfile|Dockerfile|Containerfile|(hugo|config|zola|book)\.(toml|ya?ml|json)|Staticfile|\.gitmodules`,
  ].join('|')})$`,
  'i',
);

const MAX_DEPTH = 4;
const MAX_NAMES = 400;

/** Those near the root come first; folders of dependencies are not looked into. */
export function likelyManifests(files: readonly TreeFile[]): TreeFile[] {
  return files
    .filter((file) => depthOf(file) <= MAX_DEPTH && NAMES.test(file.path.slice(file.path.lastIndexOf('/') + 1)))
    .filter(({ path, kind }) => kind !== 'submodule' && !/(^|\/)(node_modules|vendor)\//.test(path))
    .toSorted((one, other) => depthOf(one) - depthOf(other))
    .slice(0, MAX_NAMES);
}

const depthOf = ({ path }: TreeFile) => path.split('/').length;

const BINARY =
  /\.(png|jpe?g|gif|webp|avif|ico|svg|mp[34]|webm|mov|woff2?|ttf|otf|eot|pdf|zip|t?gz|jar|wasm|bin|exe|so|psd)$/i;

/** What is worth bringing along when one file of a folder has to be fetched after all. */
export function likelyText(path: string): boolean {
  return !BINARY.test(path);
}
