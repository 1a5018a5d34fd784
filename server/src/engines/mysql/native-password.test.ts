import { expect, it } from 'vitest';
import { nativeHash } from './native-password.ts';

it('is what the server itself would keep', () => {
  // select password('password')
  expect(nativeHash('password')).toBe('*2470C0C06DEE42FD1618BB99005ADCA2EC9D1E19');
});
