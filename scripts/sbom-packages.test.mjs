import { expect, it } from 'vitest';
import { withoutDevelopment } from './sbom-packages.mjs';

const component = (name) => ({ 'bom-ref': `${name}@1.0.0`, name, version: '1.0.0' });
const bill = {
  metadata: { component: component('whole') },
  components: ['server', 'a', '@b/shared', 'tester'].map(component),
  dependencies: [
    { ref: 'whole@1.0.0', dependsOn: ['server@1.0.0', 'tester@1.0.0'] },
    { ref: 'server@1.0.0', dependsOn: ['a@1.0.0'] },
    { ref: 'a@1.0.0', dependsOn: ['@b/shared@1.0.0'] },
    { ref: '@b/shared@1.0.0', dependsOn: [] },
    { ref: 'tester@1.0.0', dependsOn: ['@b/shared@1.0.0'] },
  ],
};
const lock = {
  packages: {
    '': { name: 'whole', version: '1.0.0' },
    server: { name: 'server', version: '1.0.0' },
    'node_modules/server': { resolved: 'server', link: true },
    'node_modules/a': { version: '1.0.0' },
    // What development needs as well is needed all the same.
    'node_modules/a/node_modules/@b/shared': { version: '1.0.0' },
    'node_modules/tester': { version: '1.0.0', dev: true },
  },
};

it('a list without what only development needs has all else, and names nothing that is not in it', () => {
  const { components, dependencies } = withoutDevelopment(bill, lock);
  expect(components.map(({ name }) => name)).toEqual(['server', 'a', '@b/shared']);
  expect(dependencies.map(({ ref }) => ref)).toEqual(['whole@1.0.0', 'server@1.0.0', 'a@1.0.0', '@b/shared@1.0.0']);
  expect(dependencies[0]?.dependsOn).toEqual(['server@1.0.0']);
});
