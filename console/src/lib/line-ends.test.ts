import { describe, expect, it } from 'vitest';
import { withLineEndsOf } from './line-ends.ts';

describe('line ends', () => {
  it('stay as they were when a value is edited', () => {
    expect(withLineEndsOf('a\r\nb', 'a\nb\nc')).toBe('a\r\nb\r\nc');
    expect(withLineEndsOf('a\nb', 'a\nb\nc')).toBe('a\nb\nc');
    expect(withLineEndsOf('a\rb', 'a\nx')).toBe('a\rx');
    expect(withLineEndsOf('', 'a\nb')).toBe('a\nb');
  });

  it('stay each as it was where they differ', () => {
    const before = 'a\r\nb\nc\rd';
    expect(withLineEndsOf(before, 'a\nb\nc\nd')).toBe(before);
    expect(withLineEndsOf(before, 'a\nx\nc\nd')).toBe('a\r\nx\nc\rd');
    expect(withLineEndsOf(before, 'a\nb')).toBe('a\r\nb');
    expect(withLineEndsOf(before, 'a\nd')).toBe('a\r\nd');
    expect(withLineEndsOf(before, 'new\na\nb\nc\nd')).toBe('new\r\na\r\nb\nc\rd');
    expect(withLineEndsOf(before, 'one line')).toBe('one line');
  });
});
