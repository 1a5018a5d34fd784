import { describe, expect, it } from 'vitest';
import { environmentAddress, environmentLabel } from './environment-address.ts';

describe('the address of a new environment', () => {
  const application = { slug: 'shop', url: 'http://shop.localhost:7080' };

  it('has its name behind that of the application', () => {
    expect(environmentAddress(application, 'Été & Co')).toBe('shop-ete-co.localhost:7080');
  });

  it('is not known without a letter or a digit', () => {
    expect(environmentAddress(application, ' – ')).toBeNull();
  });
});

describe('what stands in the place of a branch', () => {
  it('is made of the name, and could always be one', () => {
    expect(environmentLabel('Été & Co.lock')).toBe('ete-co-lock');
    expect(environmentLabel(' – ')).toBe('upload');
  });
});
