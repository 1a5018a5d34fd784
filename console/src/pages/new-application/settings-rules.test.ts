import { describe, expect, it } from 'vitest';
import { addressOf, describeDetected, type Detected, lacksStart, settingsOf } from './settings-rules.ts';

const detected: Detected = {
  framework: 'vite',
  runtime: null,
  deploymentType: 'static',
  buildCommand: 'npm run build',
  outputDirectory: 'dist',
  installCommand: 'npm ci',
  startCommand: null,
  packageManager: 'npm',
};
const asDetected = {
  name: ' Shop ',
  framework: '',
  buildCommand: 'npm run build',
  outputDirectory: 'dist',
  projectId: '',
};

describe('what is sent', () => {
  it('leaves to detection what was left as it was detected', () => {
    const settings = settingsOf({ values: asDetected, deploymentType: 'static', variables: {}, detected });
    expect(settings).toEqual({ shared: { name: 'Shop', deploymentType: 'static' }, run: {} });
  });

  it('has what was changed, and the variables', () => {
    const values = {
      ...asDetected,
      buildCommand: 'make',
      outputDirectory: ' out ',
      framework: 'html',
      projectId: 'prj_1',
    };
    const { shared } = settingsOf({ values, deploymentType: 'static', variables: { A: ' 1' }, detected });
    expect(shared).toMatchObject({
      buildCommand: 'make',
      outputDirectory: 'out',
      framework: 'html',
      projectId: 'prj_1',
    });
    expect(shared.environmentVars).toEqual({ A: ' 1' });
  });

  it('of a server what a server has, and of files nothing of it', () => {
    const values = {
      ...asDetected,
      outputDirectory: 'out',
      startCommand: 'node a.js',
      containerPort: '',
      memory: '512Mi',
      minInstances: '0',
      maxInstances: '4',
      autoDeployOnPush: 'on',
    };
    const filled = { values, variables: {}, detected };
    expect(settingsOf({ ...filled, deploymentType: 'container' })).toEqual({
      shared: { name: 'Shop', deploymentType: 'container', startCommand: 'node a.js' },
      run: { memory: '512Mi', minInstances: 0, maxInstances: 4, autoDeployOnPush: true },
    });
    expect(settingsOf({ ...filled, deploymentType: 'static' }).run).toEqual({ autoDeployOnPush: true });
  });
});

describe('what people read', () => {
  it('the address that a name gets', () => {
    expect(addressOf(' Ada’s Café 2 ', 'apps.example.org')).toBe('ada-s-cafe-2.apps.example.org');
    expect(addressOf('–', 'apps.example.org')).toBeNull();
  });

  it('what was detected', () => {
    expect(describeDetected(detected)).toBe('Vite, npm; installed by npm ci; built by npm run build');
    expect(describeDetected({ ...detected, installCommand: null, buildCommand: null })).toBe('Vite, npm');
  });
});

it('a server of which nothing says how it is started is known before it fails; a site or an image is not asked', () => {
  const server = { ...detected, deploymentType: 'container', runtime: 'nodejs24' } as const;
  expect(lacksStart(server)).toBe(true);
  expect(lacksStart({ ...server, startCommand: 'node server.js' })).toBe(false);
  expect(lacksStart({ ...server, runtime: 'docker' })).toBe(false);
  expect(lacksStart(detected)).toBe(false);
});
