import { expect, it } from 'vitest';
import { nameField } from './name-field.ts';

it.each([
  ['domain must be a host name such as www.example.org.', 'The domain must be a host name such as www.example.org.'],
  ['newDomain must be a domain of your own.', 'The domain must be a domain of your own.'],
  ['buildCommand must have at most 500 characters', 'The build command must have at most 500 characters'],
  ['environmentVars[0].name does not have the right form', 'The list of variables does not have the right form'],
  ['constructor does not have the right form', 'The constructor does not have the right form'],
  ['The name is taken.', 'The name is taken.'],
])('%j is %j for people', (message, shown) => {
  expect(nameField(message)).toBe(shown);
});
