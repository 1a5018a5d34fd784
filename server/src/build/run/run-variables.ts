import { join } from 'node:path';
import { inner } from '../inner-paths.ts';
import type { Language, Plan } from '../plan.ts';
import { VIRTUAL_ENVIRONMENT } from '../toolchain/language-environment.ts';

type Variables = Readonly<Record<string, string>>;

/** The edge sets these headers itself, and takes them from nobody. */
const svelteKit = {
  PROTOCOL_HEADER: 'x-forwarded-proto',
  HOST_HEADER: 'x-forwarded-host',
  ADDRESS_HEADER: 'x-forwarded-for',
};

const BY_FRAMEWORK: Readonly<Record<string, Variables>> = {
  // Its standalone server takes the machine's name for the address to listen on.
  nextjs: { HOSTNAME: '0.0.0.0', NEXT_TELEMETRY_DISABLED: '1' },
  nuxtjs: { NITRO_HOST: '0.0.0.0', NUXT_HOST: '0.0.0.0', NUXT_TELEMETRY_DISABLED: '1' },
  sveltekit: svelteKit,
  rails: { RAILS_ENV: 'production', RAILS_LOG_TO_STDOUT: '1', RAILS_SERVE_STATIC_FILES: '1' },
  gin: { GIN_MODE: 'release' },
  phoenix: { PHX_SERVER: 'true' },
  streamlit: { STREAMLIT_SERVER_HEADLESS: 'true', STREAMLIT_BROWSER_GATHER_USAGE_STATS: 'false' },
  rocket: { ROCKET_ADDRESS: '0.0.0.0' },
};

/** What an instance finds in its environment besides what the platform and the environment give it. */
export function runVariables({
  language,
  framework,
  rootDirectory,
}: Pick<Plan, 'language' | 'framework' | 'rootDirectory'>): Record<string, string> {
  const root = join(inner.source, rootDirectory);
  return { ...byLanguage(language, root), ...(framework === null ? {} : BY_FRAMEWORK[framework]) };
}

function byLanguage(language: Language, root: string): Variables {
  if (language === 'python') return { PYTHONUNBUFFERED: '1', VIRTUAL_ENV: join(root, VIRTUAL_ENVIRONMENT) };
  if (language === 'ruby') {
    return { BUNDLE_PATH: join(root, 'vendor/bundle'), BUNDLE_WITHOUT: 'development:test', RACK_ENV: 'production' };
  }
  // Its own server answers one request at a time in each of its processes.
  if (language === 'php') return { PHP_CLI_SERVER_WORKERS: '4' };
  if (language === 'deno') return { DENO_DIR: join(inner.source, '.deno'), DENO_NO_UPDATE_CHECK: '1' };
  return language === 'elixir' ? { MIX_ENV: 'prod' } : {};
}
