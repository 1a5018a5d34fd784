import { inner } from './inner-paths.ts';
import type { Plan } from './plan.ts';

export interface EnvironmentInputs {
  plan: Pick<Plan, 'framework' | 'packageManager' | 'buildVariables'>;
  toolchain: {
    /** Before the system's own. */
    searchPath: readonly string[];
    /** With `include/node` below it, for addons that are compiled. */
    nodePrefix: string;
    /** npm's settings of this machine; null where it has none. */
    npmSettings: string | null;
    /** What the tools of the language want to find. */
    env: Readonly<Record<string, string>>;
  };
  hostVariables: Readonly<Record<string, string>>;
  /** The environment's own; they win. */
  variables: Readonly<Record<string, string>>;
  memoryMb: number;
}

/** These name places in the sandbox, which only we know. */
export const protectedNames = ['PATH', 'HOME'] as const;

export const SYSTEM_PATH = ['/usr/local/bin', '/usr/bin', '/bin'];

/** What the commands of a build find in their environment. */
export function buildEnvironment(inputs: EnvironmentInputs): Record<string, string> {
  const { plan, toolchain, hostVariables, variables, memoryMb } = inputs;
  return {
    ...machineVariables(memoryMb),
    ...packageManagerVariables(plan.packageManager?.name ?? 'npm', hostVariables),
    ...(toolchain.npmSettings ? { npm_config_globalconfig: toolchain.npmSettings } : {}),
    npm_package_config_node_gyp_nodedir: toolchain.nodePrefix,
    ...noTelemetry,
    ...toolchain.env,
    // Create React App takes warnings for errors where it believes itself in CI.
    CI: plan.framework === 'create-react-app' ? 'false' : 'true',
    ...hostVariables,
    ...plan.buildVariables,
    ...variables,
    PATH: [...toolchain.searchPath, ...SYSTEM_PATH].join(':'),
    HOME: inner.home,
  };
}

/** Development dependencies are what builds are made with, whatever the application is to run as. */
export function installEnvironment(inputs: EnvironmentInputs): Record<string, string> {
  const { NODE_ENV: nodeEnv, ...environment } = buildEnvironment(inputs);
  const isKept = nodeEnv !== undefined && nodeEnv !== 'production';
  return { ...environment, CI: inputs.variables.CI ?? 'true', ...(isKept ? { NODE_ENV: nodeEnv } : {}) };
}

function machineVariables(memoryMb: number): Record<string, string> {
  return {
    LANG: 'C.UTF-8',
    USER: 'build',
    LOGNAME: 'build',
    SHELL: '/bin/sh',
    TMPDIR: '/tmp',
    // Node would measure itself by the machine's memory, and be ended at the limit it does not see.
    NODE_OPTIONS: `--max-old-space-size=${Math.floor(memoryMb * 0.75)}`,
  };
}

type Manager = NonNullable<Plan['packageManager']>['name'];

/** npm complains about settings it does not know, so each manager gets its own only. */
function packageManagerVariables(manager: Manager, host: Readonly<Record<string, string>>): Record<string, string> {
  const forNpm = {
    npm_config_cache: `${inner.store}/npm`,
    npm_config_fund: 'false',
    npm_config_audit: 'false',
    npm_config_update_notifier: 'false',
    npm_config_progress: 'false',
  };
  const others: Record<Manager, Record<string, string>> = {
    npm: {},
    pnpm: {
      npm_config_store_dir: `${inner.store}/pnpm`,
      npm_config_manage_package_manager_versions: 'false',
      npm_config_package_import_method: 'clone-or-copy',
    },
    yarn: {
      YARN_CACHE_FOLDER: `${inner.store}/yarn`,
      YARN_GLOBAL_FOLDER: `${inner.store}/yarn-berry`,
      YARN_ENABLE_TELEMETRY: '0',
      ...(host.HTTPS_PROXY ? { YARN_HTTPS_PROXY: host.HTTPS_PROXY } : {}),
      ...(host.HTTP_PROXY ? { YARN_HTTP_PROXY: host.HTTP_PROXY } : {}),
    },
    bun: { BUN_INSTALL_CACHE_DIR: `${inner.store}/bun` },
  };
  return { ...forNpm, ...others[manager] };
}

const noTelemetry = {
  ASTRO_TELEMETRY_DISABLED: '1',
  DO_NOT_TRACK: '1',
  GATSBY_TELEMETRY_DISABLED: '1',
  NEXT_TELEMETRY_DISABLED: '1',
  NG_CLI_ANALYTICS: 'false',
  NUXT_TELEMETRY_DISABLED: '1',
  STORYBOOK_DISABLE_TELEMETRY: '1',
  TURBO_TELEMETRY_DISABLED: '1',
};
