import { expect, it } from 'vitest';
import { tidyDomain } from './tidy-domain.ts';

it.each([
  ['www.example.org', 'www.example.org'],
  ['https://Example.org/path', 'example.org'],
  ['  HTTP://www.Example.org:8080/a/b?c=d#e \n', 'www.example.org'],
  ['//example.org', 'example.org'],
  ['example.org/', 'example.org'],
  ['example.org.', 'example.org'],
  ['https://ada@example.org?x', 'example.org'],
  ['*.Example.org', '*.example.org'],
  ['https://bücher.example', 'bücher.example'],
  // What is no name stays: the platform says what is wrong with it.
  ['not a domain', 'not a domain'],
  ['', ''],
])('%j is %j', (text, name) => {
  expect(tidyDomain(text)).toBe(name);
});
