import { expect, it } from 'vitest';
import { Ledger } from './ledger.ts';

it('what was acknowledged last must be there', () => {
  const ledger = new Ledger();
  ledger.ask('scale', '1').acknowledged();
  ledger.ask('scale', '2').acknowledged();
  expect(ledger.allowed('scale')).toEqual(['2']);
});

it('what was not answered may be there, until something later is acknowledged', () => {
  const ledger = new Ledger();
  ledger.ask('scale', '1').acknowledged();
  ledger.ask('scale', '2');
  ledger.ask('scale', '3');
  expect(ledger.allowed('scale')).toEqual(['1', '2', '3']);
  ledger.ask('scale', '4').acknowledged();
  expect(ledger.allowed('scale')).toEqual(['4']);
});

it('what was refused is not there', () => {
  const ledger = new Ledger();
  ledger.ask('scale', '1').acknowledged();
  ledger.ask('scale', '2').refused();
  expect(ledger.allowed('scale')).toEqual(['1']);
});

it('what nobody ever acknowledged may be missing', () => {
  const ledger = new Ledger();
  ledger.ask('folder a', 'there');
  expect(ledger.allowed('folder a')).toEqual([null, 'there']);
});

it('what was overtaken by an answer may still arrive, and no longer once another was acknowledged', () => {
  const ledger = new Ledger();
  ledger.ask('scale', '1').acknowledged();
  ledger.ask('scale', '2');
  ledger.ask('scale', '3').acknowledged();
  expect(ledger.possible('scale')).toEqual(['3', '2']);
  ledger.ask('scale', '4').acknowledged();
  expect(ledger.possible('scale')).toEqual(['4']);
});
