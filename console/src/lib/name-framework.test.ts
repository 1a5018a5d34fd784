import { describe, expect, it } from 'vitest';
import { nameFramework, nameRuntime, orderFrameworks } from './name-framework.ts';

describe('a framework', () => {
  it('is called as its makers call it, or by its short name with a capital', () => {
    expect(['nextjs', 'hugo', 'some-thing'].map(nameFramework)).toEqual(['Next.js', 'Hugo', 'Some thing']);
  });

  it('may be called what every object has', () => expect(nameFramework('constructor')).toBe('Constructor'));

  it('has a runtime with its version', () => {
    expect(['node24', 'python3.12', 'go'].map(nameRuntime)).toEqual(['Node.js 24', 'Python 3.12', 'Go']);
  });

  it('that many use stands before the others, which go by their names', () => {
    expect(orderFrameworks(['zola', 'actix-web', 'vite', 'nextjs'])).toEqual(['nextjs', 'vite', 'actix-web', 'zola']);
  });
});
