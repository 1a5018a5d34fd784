import { describe, expect, it } from 'vitest';
import { findTable, nameAddress, nameTable } from './addressed-table.ts';

const users = { schema: 'public', name: 'users' };
const others = { schema: 'tenant', name: 'users' };
const items = { schema: 'public', name: 'items' };

describe('the table that an address means', () => {
  it('is the one of that name in that schema', () => {
    expect(findTable([users, others, items], { schema: 'tenant', name: 'users' })).toBe(others);
    expect(findTable([items, users, others], { schema: '', name: 'users' })).toBe(users);
  });

  it('is the first where it names none', () => {
    expect(findTable([items, users], { schema: '', name: '' })).toBe(items);
    expect(findTable([], { schema: '', name: '' })).toBeNull();
  });

  it('is no other one where it is not there', () => {
    expect(findTable([items, others], { schema: 'public', name: 'users' })).toBeNull();
    expect(findTable([items], { schema: '', name: 'users' })).toBeNull();
    expect(nameAddress({ schema: 'public', name: 'users' })).toBe('public.users');
    expect(nameAddress({ schema: '', name: 'users' })).toBe('users');
  });
});

describe('a table', () => {
  it('is called by its name alone where all are in the usual schema', () => {
    expect(nameTable(users, { among: [users, items], engine: 'postgresql' })).toBe('users');
    expect(nameTable({ schema: 'shop', name: 'users' }, { among: [], engine: 'mysql' })).toBe('users');
  });

  it('is called with its schema where that is another, or there are several', () => {
    expect(nameTable(others, { among: [others], engine: 'postgresql' })).toBe('tenant.users');
    expect(nameTable(users, { among: [users, others], engine: 'postgresql' })).toBe('public.users');
  });
});
