import { describe, expect, it } from 'vitest';
import { buildEnvironment, installEnvironment, type EnvironmentInputs } from './build-environment.ts';

const inputs = (change: Partial<EnvironmentInputs> = {}): EnvironmentInputs => ({
  plan: { framework: 'vite', packageManager: { name: 'npm', version: null }, buildVariables: {} },
  toolchain: { searchPath: ['/home/tools/0/bin'], nodePrefix: '/home/tools/0', npmSettings: '/usr/etc/npmrc', env: {} },
  hostVariables: {},
  variables: {},
  memoryMb: 4096,
  ...change,
});

describe('the environment of a build', () => {
  it('finds the chosen tools first, and a home of its own', () => {
    expect(buildEnvironment(inputs())).toMatchObject({
      PATH: '/home/tools/0/bin:/usr/local/bin:/usr/bin:/bin',
      HOME: '/home/build',
      npm_config_globalconfig: '/usr/etc/npmrc',
      npm_config_cache: '/home/store/npm',
      NEXT_TELEMETRY_DISABLED: '1',
    });
  });

  it("lets the framework's wishes win over the machine's, and the environment's own over all", () => {
    const plan = { ...inputs().plan, buildVariables: { A: 'framework', B: 'framework' } };
    const made = buildEnvironment(
      inputs({ plan, hostVariables: { A: 'host', C: 'host' }, variables: { B: 'own', DO_NOT_TRACK: '0' } }),
    );
    expect(made).toMatchObject({ A: 'framework', B: 'own', C: 'host', DO_NOT_TRACK: '0' });
  });

  it('keeps PATH and HOME, which name places only the platform knows', () => {
    const made = buildEnvironment(inputs({ variables: { PATH: '/evil', HOME: '/root' } }));
    expect(made).toMatchObject({ PATH: expect.stringContaining('/home/tools/0/bin') as string, HOME: '/home/build' });
  });

  it('is not that of production while packages are installed: builds are made with development dependencies', () => {
    const production = inputs({ variables: { NODE_ENV: 'production' } });
    expect(installEnvironment(production)).not.toHaveProperty('NODE_ENV');
    expect(buildEnvironment(production)).toHaveProperty('NODE_ENV', 'production');
    expect(installEnvironment(inputs({ variables: { NODE_ENV: 'test' } }))).toHaveProperty('NODE_ENV', 'test');
  });

  it('is one of CI, but for Create React App, which would take warnings for errors', () => {
    const react = inputs({ plan: { ...inputs().plan, framework: 'create-react-app' } });
    expect([buildEnvironment(inputs()).CI, buildEnvironment(react).CI, installEnvironment(react).CI]).toEqual([
      'true',
      'false',
      'true',
    ]);
    expect(buildEnvironment(inputs({ variables: { CI: 'maybe' } })).CI).toBe('maybe');
  });

  it('gives settings of a package manager to that one only: npm complains about others', () => {
    const pnpm = inputs({ plan: { ...inputs().plan, packageManager: { name: 'pnpm', version: '9' } } });
    expect(buildEnvironment(pnpm)).toHaveProperty('npm_config_store_dir', '/home/store/pnpm');
    expect(buildEnvironment(inputs())).not.toHaveProperty('npm_config_store_dir');
  });
});
