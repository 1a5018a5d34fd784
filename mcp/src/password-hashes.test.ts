import { describe, expect, it } from 'vitest';
import { assertNoHash, hideHashes } from './password-hashes.ts';

describe('the hash of a password', () => {
  it.each([
    'show grants',
    ' SHOW  GRANTS for current_user()',
    'show create user lilac',
    '/* a */ show /* b */ create\nuser x',
    '-- a\nshow grants',
    '# a\n show grants',
  ])('is not asked for by %j', (statement) => expect(() => assertNoHash(statement)).toThrow('hash of a password'));

  it.each(['show tables', 'select * from grants', "select 'show grants'", 'show create table users'])(
    'has nothing to do with %j',
    (statement) => expect(() => assertNoHash(statement)).not.toThrow(),
  );

  it('is hidden where it comes all the same', () => {
    expect(hideHashes("GRANT USAGE ON *.* TO `a`@`%` IDENTIFIED BY PASSWORD '*0123' WITH GRANT OPTION")).toBe(
      "GRANT USAGE ON *.* TO `a`@`%` IDENTIFIED BY PASSWORD '(hidden)' WITH GRANT OPTION",
    );
    expect(hideHashes("identified via mysql_native_password using '*0123'")).not.toContain('0123');
    expect(hideHashes("it's 'fine'")).toBe("it's 'fine'");
  });
});
